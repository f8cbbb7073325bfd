package io.lambdafs.door.s3.wire;

import io.lambdafs.model.FsException;

/** A call that is refused or fails, with S3's code. No stack trace is recorded: it is an answer. */
public final class S3Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final S3Code code;

    public S3Failure(S3Code code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public S3Failure(S3Code code, String message, Throwable cause) {
        super(message, cause, false, false);
        this.code = code;
    }

    public S3Code code() {
        return code;
    }

    /** Returns the failure that tells of one of the file system. */
    public static S3Failure of(FsException why) {
        return new S3Failure(code(why), String.valueOf(why.getMessage()), why);
    }

    private static S3Code code(FsException why) {
        return switch (why.code()) {
            case NOT_FOUND, NOT_A_DIRECTORY -> S3Code.NO_SUCH_KEY;
            case PERMISSION_DENIED -> S3Code.ACCESS_DENIED;
            case INVALID_PATH, INVALID_ARGUMENT, IS_A_DIRECTORY, NO_CONTENT, NOT_ALLOWED, SNAPSHOT_REFUSED ->
                S3Code.INVALID_ARGUMENT;
            case ALREADY_EXISTS, STALE_GENERATION, BEING_WRITTEN -> S3Code.CONDITIONAL_REQUEST_CONFLICT;
            case OVERLOADED, THROTTLED -> S3Code.SLOW_DOWN;
            case SAFE_MODE, UNAVAILABLE, STORE_FULL, NEEDS_DATANODE, DEADLINE_EXCEEDED, CONNECTION_LOST, TIMED_OUT ->
                S3Code.SERVICE_UNAVAILABLE;
            default -> S3Code.INTERNAL_ERROR;
        };
    }
}
