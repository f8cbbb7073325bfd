package io.lambdafs.rpc.objects;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String base;
    private final String host;
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
                        "https://" + (inPath ? "" : place.bucket() + ".") + "s3." + region + ".amazonaws.com")),
                (inPath ? "/" + place.bucket() : "") + "/" + place.prefix(),
                encryption,
                region,
                credentials);
    }

    S3Signer(URI server, String path, Optional<String> encryption, String region, S3Credentials credentials) {
        this.host = server.getRawAuthority();
        this.base = server.getScheme() + "://" + host;
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

    /** @param key of unreserved characters and slashes, as are prefix and bucket */
    String url(String method, String key, Map<String, String> headers, long nowMillis, Duration life) {
        Instant now = Instant.ofEpochMilli(nowMillis);
        String date = DATE.format(now);
        String scope = date + "/" + region + "/s3/aws4_request";
        TreeMap<String, String> signed = new TreeMap<>(headers);
        signed.put("host", host);
        String names = String.join(";", signed.keySet());
        TreeMap<String, String> query = new TreeMap<>();
        query.put("X-Amz-Algorithm", ALGORITHM);
        query.put("X-Amz-Credential", credentials.accessKey() + "/" + scope);
        query.put("X-Amz-Date", TIME.format(now));
        query.put("X-Amz-Expires", Long.toString(life.toSeconds()));
        query.put("X-Amz-SignedHeaders", names);
        if (!credentials.sessionToken().isEmpty()) {
            query.put("X-Amz-Security-Token", credentials.sessionToken());
        }
        String parameters = query.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        String canonical = method + "\n" + path + key + "\n" + parameters + "\n"
                + signed.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue() + "\n")
                        .collect(Collectors.joining())
                + "\n" + names + "\nUNSIGNED-PAYLOAD";
        String toSign = ALGORITHM + "\n" + TIME.format(now) + "\n" + scope + "\n" + sha256(canonical);
        return base + path + key + "?" + parameters + "&X-Amz-Signature="
                + HexFormat.of().formatHex(hmac(key(date), toSign));
    }

    private byte[] key(String date) {
        byte[] ofDay = hmac(("AWS4" + credentials.secretKey()).getBytes(StandardCharsets.UTF_8), date);
        return hmac(hmac(hmac(ofDay, region), "s3"), "aws4_request");
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
