"""A plugin of pytest that scores Ceph's s3-tests by group: -p s3_tests_score, with LAMBDAFS_SCORE naming a folder for what failed."""

import collections
import inspect
import os
import re

# What the door does not do, by the suite's marks and names.
OUT = {
    "versioning": "no versions", "delete_marker": "no versions", "lifecycle": "no lifecycle",
    "lifecycle_expiration": "no lifecycle", "lifecycle_transition": "no lifecycle", "encryption": "no encryption",
    "sse_s3": "no encryption", "bucket_encryption": "no encryption", "bucket_policy": "no policies",
    "user_policy": "no policies", "group_policy": "no policies", "role_policy": "no policies",
    "bucket_logging": "no logging", "bucket_logging_cleanup": "no logging", "fails_without_logging_rollover": "no logging",
    "cloud_transition": "no other classes of storage", "cloud_restore": "no other classes of storage",
    "target_by_bucket": "no other classes of storage", "storage_class": "no other classes of storage",
    "iam_user": "no IAM", "iam_account": "no IAM", "iam_role": "no IAM", "iam_tenant": "no IAM",
    "iam_cross_account": "no IAM", "object_ownership": "no ACLs", "appendobject": "Ceph's own",
    "auth_aws2": "no signatures of version 2", "object_lock": "no locks of objects",
}
NAMES = [
    (r"version(ed|ing|s_|_id)|_versions?\b|delete_marker", "no versions"), (r"object_lock|_retention|legal_hold", "no locks of objects"),
    (r"_sse_|encrypt|kms", "no encryption"), (r"policy|public_block|block_public", "no policies"), (r"logging", "no logging"),
    (r"lifecycle", "no lifecycle"), (r"cors", "no CORS"), (r"post_object", "no form uploads"),
    (r"_v2$", "no signatures of version 2"), (r"torrent", "no torrents"), (r"list_buckets_anonymous", "no anonymous access"),
    (r"usage|unordered|bucket_head_extended", "Ceph's own"), (r"list(v2)?_delimiter_basic$", "no key below another key"),
    (r"bad_authorization_(none|empty)|object_create_bad_contentlength_none|object_read_unreadable", "Ceph fails it too"),
    (r"anon_put_write_access", "no anonymous access"), (r"set_canned_acl", "no ACLs"),
    (r"expires_not_expired", "no CORS"), (r"acl_default$|private_to_private", ""),
]
# What a test calls.
SOURCES = [
    (r"configure_versioning|put_bucket_versioning", "no versions"),
    (r"(put_bucket_acl|put_object_acl)\((?!ACL='private'|Bucket=bucket_name, Key=key, ACL='private')|ACL='(?!private)|setup_access|object_acl\("
     r"|bucket_acl_grant|object_acl_grant|acl_grants|bad_canned_acl|_acl_revoke", "no ACLs"),
]
GROUPS = [
    ("conditional writes", r"^!conditional_write$"), ("parts", r"multipart|upload_part|abort_multi"),
    ("form uploads", r"post_object"), ("rights and ACLs", r"acl|access_|anon|public|grant|ownership"), ("CORS", r"cors"),
    ("tags", r"tag"), ("checksums", r"checksum"), ("copies", r"copy"), ("listings", r"list"),
    ("names of buckets", r"naming|bucket_create|bucket_recreate"), ("conditions of reads", r"ifmatch|ifnonematch|ifmodified|ifunmod"),
    ("ranges", r"range"), ("the rest", r""),
]


def reason(item):
    for mark in item.iter_markers():
        if mark.name in OUT:
            return OUT[mark.name]
    for pattern, why in NAMES:
        if re.search(pattern, item.name):
            return why
    source = inspect.getsource(item.function)
    return next((why for pattern, why in SOURCES if re.search(pattern, source)), "")


def group(item):
    if item.get_closest_marker("conditional_write"):
        return "conditional writes"
    return next(name for name, pattern in GROUPS if re.search(pattern, item.name))


LEFT_OUT, SCORE, FAILED = collections.Counter(), {}, []


def pytest_collection_modifyitems(config, items):
    kept = []
    for item in items:
        why = reason(item)
        if why:
            LEFT_OUT[why] += 1
        else:
            kept.append(item)
    items[:] = kept


def pytest_runtest_makereport(item, call):
    counts = SCORE.setdefault(group(item), collections.Counter())
    if call.when == "call" or call.excinfo is not None:
        skipped = call.excinfo is not None and call.excinfo.typename == "Skipped"
        if item.name in [name for name, *_ in FAILED]:
            return
        counts["skipped" if skipped else "failed" if call.excinfo else "passed"] += 1
        if call.excinfo and not skipped:
            FAILED.append((item.name, group(item), str(call.excinfo.value).split("\n")[0][:160]))
            if call.when != "call" and counts["passed"]:
                counts["passed"] -= call.when == "teardown"


def pytest_sessionfinish(session):
    passed = failed = 0
    lines = []
    for name, _ in GROUPS:
        counts = SCORE.get(name)
        if counts:
            passed, failed = passed + counts["passed"], failed + counts["failed"]
            lines.append(f"{name}: {counts['passed']} of {counts['passed'] + counts['failed']}")
    if passed + failed:
        lines.append(f"all: {passed} of {passed + failed}, {100 * passed / (passed + failed):.1f} %")
    lines += [f"left out, {why}: {count}" for why, count in sorted(LEFT_OUT.items())]
    folder = os.environ["LAMBDAFS_SCORE"]
    with open(os.path.join(folder, "failed.txt"), "w") as out:
        out.writelines(f"{where}\t{name}\t{why}\n" for name, where, why in sorted(FAILED, key=lambda each: each[1]))
    with open(os.path.join(folder, "score.txt"), "w") as out:
        out.write("\n".join(lines) + "\n")
    print("\n" + "\n".join(lines))
