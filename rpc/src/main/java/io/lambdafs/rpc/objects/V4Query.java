package io.lambdafs.rpc.objects;

import io.lambdafs.model.Sha256;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * URLs with a signature of version 4 in the query, in the form that Amazon and Google share. Thread-safe.
 *
 * @param server scheme and authority of the URLs
 * @param algorithm like {@code AWS4-HMAC-SHA256}
 * @param vendor in the names of parameters, as in {@code X-Amz-Date}
 * @param account the signing account
 * @param service the part of the scope after the date, like {@code us-east-1/s3/aws4_request}
 * @param signature signs a text
 */
record V4Query(URI server, String algorithm, String vendor, String account, String service, Signature signature) {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Signs a text. Thread-safe. */
    @FunctionalInterface
    interface Signature {
        /** @param date like {@code 20130524}, for keys of one day */
        byte[] of(String date, byte[] text);
    }

    /**
     * Returns a signed URL.
     *
     * @param name the path, not encoded
     * @param headers to be sent, with names in lower case; {@code host} is added
     * @param extra further query parameters, by name
     */
    String url(
            String method,
            String name,
            Map<String, String> headers,
            Map<String, String> extra,
            long nowMillis,
            Duration life) {
        String path = path(name);
        Instant now = Instant.ofEpochMilli(nowMillis);
        String date = DATE.format(now);
        String scope = date + "/" + service;
        TreeMap<String, String> signed = new TreeMap<>(headers);
        signed.put("host", server.getRawAuthority());
        String names = String.join(";", signed.keySet());
        String prefix = "X-" + vendor + "-";
        TreeMap<String, String> query = new TreeMap<>(extra);
        query.put(prefix + "Algorithm", algorithm);
        query.put(prefix + "Credential", account + "/" + scope);
        query.put(prefix + "Date", TIME.format(now));
        query.put(prefix + "Expires", Long.toString(life.toSeconds()));
        query.put(prefix + "SignedHeaders", names);
        String parameters = query.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        String canonical = method + "\n" + path + "\n" + parameters + "\n"
                + signed.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue() + "\n")
                        .collect(Collectors.joining())
                + "\n" + names + "\nUNSIGNED-PAYLOAD";
        String toSign = algorithm + "\n" + TIME.format(now) + "\n" + scope + "\n" + Sha256.hex(canonical);
        byte[] bytes = signature.of(date, toSign.getBytes(StandardCharsets.UTF_8));
        return server.getScheme() + "://" + server.getRawAuthority() + path + "?" + parameters + "&" + prefix
                + "Signature=" + HexFormat.of().formatHex(bytes);
    }

    /** Encodes a path, for sending and for signing. */
    static String path(String name) {
        return encoded(name).replace("%2F", "/");
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
