package io.lambdafs.door.s3.calls;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.files.Looking;
import io.lambdafs.door.s3.files.Tags;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlIn;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.http.HttpReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Answers calls on the tags of objects and buckets. Stateless. */
public final class Tagging {
    private static final int NO_CONTENT = 204;

    public HttpReply get(Caller caller) throws InterruptedException {
        Map<String, String> tags =
                caller.call().key().isEmpty() ? ofBucket(caller) : found(caller).tags();
        XmlOut out = new XmlOut("Tagging").open("TagSet");
        new TreeMap<>(tags)
                .forEach((key, value) ->
                        out.open("Tag").put("Key", key).put("Value", value).close());
        return S3Replies.xml(out);
    }

    private static Map<String, String> ofBucket(Caller caller) throws InterruptedException {
        FsPath bucket = caller.existingBucket();
        Map<String, String> tags = Tags.read(
                BlockingLambdaFs.await(caller.fs().async().xattrs(bucket, true)).get(Tags.XATTR));
        if (tags.isEmpty()) {
            throw new S3Failure(S3Code.NO_SUCH_TAG_SET, "the bucket has no tags");
        }
        return tags;
    }

    private static FsPath path(Caller caller) throws InterruptedException {
        Optional<FsPath> path =
                caller.places().find(caller.call().bucket(), caller.call().key());
        if (path.isEmpty()) {
            throw caller.noObject();
        }
        return path.get();
    }

    static Found found(Caller caller) throws InterruptedException {
        Optional<Found> found = Looking.at(caller.fs(), path(caller));
        if (found.isEmpty()) {
            throw caller.noObject();
        }
        return found.get();
    }

    /** Returns what the tags are of: the bucket, or an object that is there. */
    private static FsPath tagged(Caller caller) throws InterruptedException {
        if (caller.call().key().isEmpty()) {
            return caller.existingBucket();
        }
        found(caller);
        return path(caller);
    }

    public HttpReply put(Caller caller) throws InterruptedException {
        List<XmlIn> sets = XmlIn.read(caller.call().http().body(), "Tagging").all("TagSet");
        if (sets.size() != 1) {
            throw XmlIn.malformed("it has no TagSet");
        }
        Map<String, String> tags = new TreeMap<>();
        for (XmlIn each : sets.get(0).all("Tag")) {
            Tags.put(tags, each.get("Key"), each.get("Value"));
        }
        FsPath path = tagged(caller);
        BlockingLambdaFs.await(caller.fs().async().setXattr(path, Tags.XATTR, Tags.json(tags), true, true));
        return HttpReply.empty(caller.call().key().isEmpty() ? NO_CONTENT : 200);
    }

    public HttpReply delete(Caller caller) throws InterruptedException {
        FsPath path = tagged(caller);
        try {
            BlockingLambdaFs.await(caller.fs().async().removeXattr(path, Tags.XATTR));
        } catch (FsException e) {
            if (e.code() != ErrorCode.NO_XATTR) {
                throw e;
            }
        }
        return HttpReply.empty(NO_CONTENT);
    }
}
