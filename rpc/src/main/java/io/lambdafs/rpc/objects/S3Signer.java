package io.lambdafs.rpc.objects;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Presigns requests for a bucket of S3 or a compatible store: AWS Signature Version 4, in the query. Thread-safe.
 *
 * <p>Implemented here instead of using AWS's SDK because every instance includes it, and the SDK's part would double
 * what a function loads.
 */
public final class S3Signer implements ObjectSigner {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String HMAC = "HmacSHA256";

    private final V4Query query;
    private final String path;
    private final String region;
    private final Map<String, String> putHeaders;
    private final S3Credentials credentials;

    /**
     * Creates a signer.
     *
     * @param place whose objects requests are signed for
     * @param endpoint of a store other than Amazon's, with the bucket in the path
     * @param encryption server-side encryption
     * @param region of the bucket
     */
    public static S3Signer of(
            ObjectPlace place,
            Optional<URI> endpoint,
            Optional<String> encryption,
            String region,
            S3Credentials credentials) {
        // A bucket with a dot has no matching certificate.
        boolean inPath = endpoint.isPresent() || place.bucket().contains(".");
        return new S3Signer(
                endpoint.orElseGet(() -> URI.create(
                        "https://" + (inPath ? "" : place.bucket() + ".") + "s3." + region + suffix(region))),
                (inPath ? "/" + place.bucket() : "") + "/" + place.prefix(),
                encryption,
                region,
                credentials);
    }

    /** Returns the domain of AWS's services in a region. */
    private static String suffix(String region) {
        return region.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
    }

    S3Signer(URI server, String path, Optional<String> encryption, String region, S3Credentials credentials) {
        this.query = new V4Query(
                server, ALGORITHM, "Amz", credentials.accessKey(), region + "/s3/aws4_request", this::signature);
        this.path = path;
        this.region = region;
        Map<String, String> put = new TreeMap<>();
        put.put("if-none-match", "*");
        encryption.ifPresent(each -> put.put("x-amz-server-side-encryption", each));
        this.putHeaders = put;
        this.credentials = credentials;
    }

    /** Returns the region in an environment, or the one commonly accepted by other stores. */
    public static String region(Map<String, String> environment) {
        String region = environment.getOrDefault("AWS_REGION", environment.getOrDefault("AWS_DEFAULT_REGION", ""));
        return region.isEmpty() ? "us-east-1" : region;
    }

    @Override
    public SignedRequest sign(SignedRequest.Method method, String key, long nowMillis, Duration life) {
        Map<String, String> headers = method == SignedRequest.Method.PUT ? putHeaders : Map.of();
        return new SignedRequest(method, url(method.name(), key, headers, nowMillis, life), headers);
    }

    String url(String method, String key, Map<String, String> headers, long nowMillis, Duration life) {
        String token = credentials.sessionToken();
        return query.url(
                method,
                path + key,
                headers,
                token.isEmpty() ? Map.of() : Map.of("X-Amz-Security-Token", token),
                nowMillis,
                life);
    }

    private byte[] signature(String date, byte[] text) {
        byte[] ofDay = hmac(bytes("AWS4" + credentials.secretKey()), bytes(date));
        return hmac(hmac(hmac(hmac(ofDay, bytes(region)), bytes("s3")), bytes("aws4_request")), text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
