package io.lambdafs.deploy.aws;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.Locale;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/** Converts AWS's errors into messages and codes for a command's user. Stateless. */
public final class AwsFaults {
    private static final int FORBIDDEN = 403;

    private AwsFaults() {}

    /** @param what the failed action */
    public static FsException of(SdkException thrown, String what) {
        ErrorCode code = code(thrown);
        return new FsException(code, "cannot " + what + ": " + message(thrown) + change(code), thrown);
    }

    /** Returns AWS's message. */
    public static String message(SdkException thrown) {
        return thrown instanceof AwsServiceException service && service.awsErrorDetails() != null
                ? service.awsErrorDetails().errorCode() + ", "
                        + service.awsErrorDetails().errorMessage()
                : String.valueOf(thrown.getMessage());
    }

    /**
     * Returns the code for a caller; {@link ErrorCode#INTERNAL} unless credentials, rights or the network are at fault.
     */
    public static ErrorCode code(SdkException thrown) {
        String said = message(thrown);
        if (thrown instanceof SdkClientException) {
            boolean none = said.toLowerCase(Locale.ROOT).contains("credentials");
            return none ? ErrorCode.UNAUTHENTICATED : ErrorCode.UNAVAILABLE;
        }
        if (said.matches(
                "(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|ExpiredToken|SignatureDoesNotMatch|MissingAuth).*")) {
            return ErrorCode.UNAUTHENTICATED;
        }
        boolean denied = thrown instanceof AwsServiceException service && service.statusCode() == FORBIDDEN;
        return denied || said.startsWith("AccessDenied") ? ErrorCode.PERMISSION_DENIED : ErrorCode.INTERNAL;
    }

    private static String change(ErrorCode code) {
        return switch (code) {
            case UNAUTHENTICATED ->
                "; give AWS's tools credentials: AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE, or a role of this machine";
            case PERMISSION_DENIED -> "; give who runs the command that right";
            case UNAVAILABLE -> "; check --region, and the way to AWS";
            default -> "";
        };
    }
}
