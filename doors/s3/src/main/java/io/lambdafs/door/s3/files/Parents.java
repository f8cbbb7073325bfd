package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;

/** Makes the directories of an object, but never its bucket. Stateless. */
final class Parents {
    private static final int MODE = 0755;

    private Parents() {}

    /** Makes what is missing; others may remove it again while it is empty. */
    static void make(BlockingLambdaFs fs, FsPath object, int bucketDepth) throws InterruptedException {
        int depth = bucketDepth;
        try {
            if (!fs.stat(object.ancestor(depth)).isDirectory()) {
                throw noBucket();
            }
            for (depth++; depth < object.depth(); depth++) {
                BlockingLambdaFs.await(fs.async().mkdirs(object.ancestor(depth), MODE, false));
            }
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_A_DIRECTORY || e.code() == ErrorCode.ALREADY_EXISTS) {
                throw below(e);
            }
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            if (depth == bucketDepth) {
                throw noBucket();
            }
        }
    }

    private static S3Failure noBucket() {
        return new S3Failure(S3Code.NO_SUCH_BUCKET, "there is no such bucket");
    }

    /** Returns the refusal of a key below another object. */
    static S3Failure below(FsException why) {
        return new S3Failure(
                S3Code.INVALID_ARGUMENT,
                "the key begins with that of another object and a slash: here that is a file",
                why);
    }
}
