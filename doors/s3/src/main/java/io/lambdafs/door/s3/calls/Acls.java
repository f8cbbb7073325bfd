package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.rpc.http.HttpReply;
import java.util.Optional;
import java.util.Set;

/**
 * Answers calls on access control lists as if each were the canned {@code private}: who else may do what, the file system
 * says. Stateless.
 */
public final class Acls {
    private static final String PRIVATE = "private";
    private static final Set<String> CANNED = Set.of(
            PRIVATE,
            "public-read",
            "public-read-write",
            "authenticated-read",
            "aws-exec-read",
            "bucket-owner-read",
            "bucket-owner-full-control",
            "log-delivery-write");

    public HttpReply get(Caller caller) throws InterruptedException {
        String owner = of(caller).owner();
        return S3Replies.xml(new XmlOut("AccessControlPolicy")
                .owner("Owner", owner)
                .open("AccessControlList")
                .open("Grant")
                .grantee(owner)
                .put("Permission", "FULL_CONTROL"));
    }

    /** Takes the list that there is, and refuses others. */
    public HttpReply put(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        of(caller);
        Optional<String> canned = call.header("x-amz-acl");
        if (canned.isPresent() && !CANNED.contains(canned.get())) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "there is no canned access control list " + canned.get());
        }
        if (call.http().body().length > 0 || !canned.equals(Optional.of(PRIVATE))) {
            throw new S3Failure(
                    S3Code.NOT_IMPLEMENTED, "the only access control list of this door is the canned " + PRIVATE);
        }
        return HttpReply.empty(200);
    }

    /** Returns what the list is of: the bucket, or an object that is there. */
    private static Attributes of(Caller caller) throws InterruptedException {
        if (caller.call().key().isEmpty()) {
            return caller.fs().stat(caller.existingBucket());
        }
        return Tagging.found(caller).file();
    }
}
