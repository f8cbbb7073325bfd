package io.lambdafs.datanode.s3;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectFailures;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Maps an object store's answers to failures. Stateless. */
final class S3Failures {
    /** Stands for a status if there was no answer. */
    static final int UNANSWERED = 0;

    static final int NOT_FOUND = 404;
    static final int PRECONDITION_FAILED = 412;
    static final int BEYOND_THE_END = 416;

    private S3Failures() {}

    static int status(SdkException e) {
        return e instanceof AwsServiceException answered ? answered.statusCode() : UNANSWERED;
    }

    private static String tried(String what, String place, String key) {
        return "cannot " + what + " " + key + " in " + place;
    }

    /** Returns the failure for an object that another wrote. */
    static FsException exists(String what, String place, String key) {
        return ObjectFailures.of(tried(what, place, key), PRECONDITION_FAILED, "", "");
    }

    /** Returns the failure of an action on a key. */
    static FsException of(String what, String place, String key, SdkException e) {
        String tried = tried(what, place, key);
        if (isWithoutCredentials(e)) {
            return new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    tried + ": there are no credentials; check the credentials of this process's environment",
                    e);
        }
        return status(e) == UNANSWERED
                ? ObjectFailures.unanswered(tried, e)
                : ObjectFailures.of(tried, status(e), code(e), String.valueOf(e.getMessage()));
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
