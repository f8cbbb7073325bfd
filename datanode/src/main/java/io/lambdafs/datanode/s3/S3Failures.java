package io.lambdafs.datanode.s3;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.Locale;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** What an object store's answers mean. Stateless. */
final class S3Failures {
    static final int NOT_FOUND = 404;
    static final int PRECONDITION_FAILED = 412;
    static final int BEYOND_THE_END = 416;

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int FULL = 507;

    private S3Failures() {}

    static int status(SdkException e) {
        return e instanceof AwsServiceException answered ? answered.statusCode() : 0;
    }

    /** Of what was tried with a key. */
    static FsException of(String what, String place, String key, SdkException e) {
        String tried = "cannot " + what + " " + key + " in " + place + ": ";
        int status = status(e);
        String code = code(e);
        if (status == NOT_FOUND && code.equals("NoSuchBucket")) {
            return new FsException(
                    ErrorCode.UNAVAILABLE, tried + "there is no such bucket; make it, or name another", e);
        }
        if (status == NOT_FOUND) {
            return new FsException(ErrorCode.BLOCK_MISSING, tried + "there is none");
        }
        if (status == PRECONDITION_FAILED) {
            return new FsException(ErrorCode.ALREADY_EXISTS, tried + "it is there already");
        }
        if (status == UNAUTHORIZED || status == FORBIDDEN || isWithoutCredentials(e)) {
            return new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    tried + "access denied ("
                            + (status == 0 ? "there are no credentials" : "status " + status + " " + code).strip()
                            + "); check the credentials of the datanode, and what they may do in the bucket",
                    e);
        }
        if (status == FULL || code.toLowerCase(Locale.ROOT).contains("quota") || code.contains("StorageFull")) {
            return new FsException(ErrorCode.STORE_FULL, tried + "it is full (" + code + ")", e);
        }
        String why = status == 0 ? String.valueOf(e.getMessage()) : "status " + status + " " + code;
        return new FsException(ErrorCode.UNAVAILABLE, tried + why, e);
    }

    private static String code(SdkException e) {
        return e instanceof AwsServiceException answered
                        && answered.awsErrorDetails() != null
                        && answered.awsErrorDetails().errorCode() != null
                ? answered.awsErrorDetails().errorCode()
                : "";
    }

    private static boolean isWithoutCredentials(SdkException e) {
        return String.valueOf(e.getMessage()).contains("Unable to load credentials");
    }
}
