package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.files.Draft;
import io.lambdafs.door.s3.files.Removal;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlIn;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.http.HttpReply;
import java.util.List;
import java.util.Optional;

/** Answers DeleteObject and DeleteObjects. Stateless. */
public final class Deleting {
    private static final int MOST = 1_000;
    private static final int NO_CONTENT = 204;

    public HttpReply one(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        caller.existingBucket();
        Draft.Condition condition = Conditions.ofDelete(call);
        checkVersion(call.query("versionId"));
        remove(caller, call.key(), condition);
        return HttpReply.empty(NO_CONTENT);
    }

    static void checkVersion(String version) {
        if (!version.isEmpty() && !version.equals("null")) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "this door keeps no versions: each object's is null");
        }
    }

    private static void remove(Caller caller, String key, Draft.Condition condition) throws InterruptedException {
        Optional<FsPath> object = caller.places().find(caller.call().bucket(), key);
        if (object.isPresent()) {
            Removal.remove(caller.fs(), object.get(), caller.bucketDepth(), condition);
        }
    }

    /** Deletes each object under its own conditions; some may fail. */
    public HttpReply many(Caller caller) throws InterruptedException {
        XmlIn asked = XmlIn.read(caller.call().http().body(), "Delete");
        List<XmlIn> objects = asked.all("Object");
        if (objects.isEmpty() || objects.size() > MOST) {
            throw XmlIn.malformed("1 to " + MOST + " objects are deleted at once");
        }
        boolean quiet = asked.get("Quiet").equals("true");
        caller.existingBucket();
        XmlOut out = new XmlOut("DeleteResult");
        for (XmlIn each : objects) {
            String key = each.get("Key");
            try {
                checkVersion(each.get("VersionId"));
                remove(
                        caller,
                        key,
                        Conditions.ofDelete(told(each, "ETag"), told(each, "Size"), told(each, "LastModifiedTime")));
                if (!quiet) {
                    out.open("Deleted").put("Key", key);
                    if (each.has("VersionId")) {
                        out.put("VersionId", each.get("VersionId"));
                    }
                    out.close();
                }
            } catch (FsException e) {
                error(out, key, S3Failure.of(e));
            } catch (S3Failure e) {
                error(out, key, e);
            }
        }
        return S3Replies.xml(out);
    }

    private static Optional<String> told(XmlIn object, String name) {
        return object.has(name) ? Optional.of(object.get(name)) : Optional.empty();
    }

    private static void error(XmlOut out, String key, S3Failure why) {
        out.open("Error")
                .put("Key", key)
                .put("Code", why.code().label())
                .put("Message", why.getMessage())
                .close();
    }
}
