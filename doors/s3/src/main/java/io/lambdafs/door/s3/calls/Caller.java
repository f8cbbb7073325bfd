package io.lambdafs.door.s3.calls;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.door.s3.files.Looking;
import io.lambdafs.door.s3.files.Places;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;

/** A call with the client that acts for its user. Immutable. */
public record Caller(S3Call call, BlockingLambdaFs fs, Places places) {
    FsPath bucket() {
        return places.bucket(call.bucket());
    }

    int bucketDepth() {
        return places.root().depth() + 1;
    }

    /** Returns the directory of the call's bucket; fails with NoSuchBucket if there is none. */
    FsPath existingBucket() throws InterruptedException {
        FsPath bucket = bucket();
        if (Looking.status(fs, bucket).filter(Attributes::isDirectory).isEmpty()) {
            throw new S3Failure(S3Code.NO_SUCH_BUCKET, "there is no bucket \"" + bucket.name() + "\"");
        }
        return bucket;
    }

    /** Returns the failure for a key that has no object: it may be the bucket that there is not. */
    S3Failure noObject() throws InterruptedException {
        existingBucket();
        return new S3Failure(S3Code.NO_SUCH_KEY, "there is no object \"" + call.key() + "\"");
    }
}
