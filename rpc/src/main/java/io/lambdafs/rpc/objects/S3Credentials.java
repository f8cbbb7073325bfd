package io.lambdafs.rpc.objects;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.Map;
import java.util.Optional;

/**
 * Credentials for signing requests to an S3 store. Immutable.
 *
 * @param sessionToken of temporary credentials; empty for permanent ones
 */
public record S3Credentials(String accessKey, String secretKey, String sessionToken) {
    private static final String ACCESS_KEY = "AWS_ACCESS_KEY_ID";
    private static final String SECRET_KEY = "AWS_SECRET_ACCESS_KEY";
    private static final String SESSION_TOKEN = "AWS_SESSION_TOKEN";

    /**
     * Returns the credentials in an environment, as AWS Lambda sets them too.
     *
     * @throws FsException {@code PERMISSION_DENIED} if there are none
     */
    public static S3Credentials of(Map<String, String> environment) {
        return find(environment)
                .orElseThrow(() -> new FsException(
                        ErrorCode.PERMISSION_DENIED,
                        "instances sign URLs for clients and have no credentials for it: set " + ACCESS_KEY + " and "
                                + SECRET_KEY + " in their environment"));
    }

    private static Optional<S3Credentials> find(Map<String, String> environment) {
        String access = environment.getOrDefault(ACCESS_KEY, "");
        String secret = environment.getOrDefault(SECRET_KEY, "");
        return access.isEmpty() || secret.isEmpty()
                ? Optional.empty()
                : Optional.of(new S3Credentials(access, secret, environment.getOrDefault(SESSION_TOKEN, "")));
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "S3Credentials[" + accessKey + "]";
    }
}
