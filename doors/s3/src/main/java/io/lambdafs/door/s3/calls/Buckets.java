package io.lambdafs.door.s3.calls;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.door.s3.files.Listing;
import io.lambdafs.door.s3.files.Looking;
import io.lambdafs.door.s3.files.Places;
import io.lambdafs.door.s3.files.Removal;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.rpc.http.HttpReply;
import java.util.Iterator;
import java.util.Optional;

/** Answers calls on buckets as such. Stateless. */
public final class Buckets {
    /** As in S3 a bucket is its owner's, until the owner says otherwise. */
    private static final int MODE = 0700;

    private static final int NO_CONTENT = 204;
    private static final int MOST_LISTED = 10_000;

    /** Returns the buckets of the caller, as S3 does: those of others can be used by name. */
    public HttpReply list(Caller caller) {
        S3Call call = caller.call();
        String prefix = call.query("prefix");
        String after = call.query("continuation-token");
        int most = call.number("max-buckets", MOST_LISTED, MOST_LISTED);
        XmlOut out =
                new XmlOut("ListAllMyBucketsResult").owner("Owner", call.user()).open("Buckets");
        Iterator<Attributes> all = caller.fs().list(caller.places().root());
        int count = 0;
        String last = "";
        boolean more = false;
        while (all.hasNext() && !more) {
            Attributes each = all.next();
            if (each.isDirectory()
                    && each.owner().equals(call.user())
                    && Places.isBucketName(each.name())
                    && each.name().startsWith(prefix)
                    && each.name().compareTo(after) > 0) {
                more = count == most;
                if (!more) {
                    out.open("Bucket")
                            .put("Name", each.name())
                            .put("CreationDate", S3Replies.iso(each.mtime()))
                            .close();
                    last = each.name();
                    count++;
                }
            }
        }
        return S3Replies.xml(out.close()
                .put("ContinuationToken", more ? last : null)
                .put("Prefix", prefix.isEmpty() ? null : prefix));
    }

    public HttpReply create(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        Labels.checkAsked(call);
        if (call.header("x-amz-bucket-object-lock-enabled")
                .filter(each -> !each.equalsIgnoreCase("false"))
                .isPresent()) {
            throw new S3Failure(S3Code.NOT_IMPLEMENTED, "this door locks no objects");
        }
        if (!Places.isBucketName(call.bucket())) {
            throw new S3Failure(
                    S3Code.INVALID_BUCKET_NAME,
                    "a bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens, and is no address");
        }
        FsPath bucket = caller.bucket();
        Optional<Attributes> known = Looking.status(caller.fs(), bucket);
        if (known.isEmpty()) {
            BlockingLambdaFs.await(caller.fs().async().mkdirs(bucket, MODE, false));
        }
        Attributes there = known.isPresent() ? known.get() : caller.fs().stat(bucket);
        if (!there.isDirectory() || !there.owner().equals(call.user())) {
            throw new S3Failure(S3Code.BUCKET_ALREADY_EXISTS, "there is such a bucket of another owner");
        }
        return HttpReply.empty(200).withHeader("location", "/" + call.bucket());
    }

    /** Removes a bucket without objects, with what unfinished uploads have left. */
    public HttpReply delete(Caller caller) throws InterruptedException {
        FsPath bucket = caller.existingBucket();
        S3Failure notEmpty = new S3Failure(S3Code.BUCKET_NOT_EMPTY, "the bucket is not empty");
        try {
            caller.fs().delete(bucket, false);
            return HttpReply.empty(NO_CONTENT);
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_EMPTY) {
                throw e;
            }
        }
        if (!Listing.isEmpty(caller.fs(), bucket)) {
            throw notEmpty;
        }
        caller.fs().delete(caller.places().uploads(caller.call().bucket()), true);
        Removal.removeEmpty(caller.fs(), bucket);
        try {
            caller.fs().delete(bucket, false);
        } catch (FsException e) {
            throw e.code() == ErrorCode.NOT_EMPTY ? notEmpty : e;
        }
        return HttpReply.empty(NO_CONTENT);
    }

    public HttpReply head(Caller caller) throws InterruptedException {
        FsPath bucket = caller.existingBucket();
        BlockingLambdaFs.await(caller.fs().async().access(bucket, 1));
        return HttpReply.empty(200).withHeader("x-amz-bucket-region", "us-east-1");
    }

    /** Answers with properties that are the same for every bucket. */
    public HttpReply describe(Caller caller, String name) throws InterruptedException {
        caller.existingBucket();
        return switch (name) {
            case "GetBucketLocation" -> S3Replies.xml(new XmlOut("LocationConstraint"));
            case "GetBucketVersioning" -> S3Replies.xml(new XmlOut("VersioningConfiguration"));
            case "GetBucketRequestPayment" ->
                S3Replies.xml(new XmlOut("RequestPaymentConfiguration").put("Payer", "BucketOwner"));
            case "GetBucketPolicy" -> throw none(S3Code.NO_SUCH_BUCKET_POLICY);
            case "GetBucketCors" -> throw none(S3Code.NO_SUCH_CORS_CONFIGURATION);
            case "GetBucketLifecycleConfiguration" -> throw none(S3Code.NO_SUCH_LIFECYCLE_CONFIGURATION);
            case "GetBucketWebsite" -> throw none(S3Code.NO_SUCH_WEBSITE_CONFIGURATION);
            case "GetBucketEncryption" -> throw none(S3Code.SERVER_SIDE_ENCRYPTION_NOT_FOUND);
            case "GetObjectLockConfiguration" -> throw none(S3Code.OBJECT_LOCK_CONFIGURATION_NOT_FOUND);
            default -> throw new S3Failure(S3Code.NOT_IMPLEMENTED, name + " is not a thing that this door does");
        };
    }

    private static S3Failure none(S3Code code) {
        return new S3Failure(code, "the bucket has none: this door keeps none");
    }
}
