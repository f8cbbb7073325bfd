package io.lambdafs.rpc.objects;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Verifies a signed request as Google's server does before it reads the object: rebuilds the canonical request of its
 * documentation ("Canonical requests") from what has
 * arrived, and verifies its signature with the account's public key. Stateless.
 */
public final class GoogleServer {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration CLOCKS = Duration.ofMinutes(15);
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private GoogleServer() {}

    /**
     * Returns the code of Google's refusal; empty where the request is what was signed.
     *
     * @param headers of the request, by name in lower case; {@code host} among them
     */
    public static String refusal(String method, URI url, Map<String, String> headers, PublicKey key, Instant now) {
        SortedMap<String, String> query = new TreeMap<>();
        for (String each : url.getRawQuery().split("&", -1)) {
            int equals = each.indexOf('=');
            query.put(decoded(each.substring(0, equals)), decoded(each.substring(equals + 1)));
        }
        String signature = query.remove("X-Goog-Signature");
        List<String> signed =
                Arrays.asList(query.getOrDefault("X-Goog-SignedHeaders", "").split(";", -1));
        String[] credential = query.getOrDefault("X-Goog-Credential", "").split("/", 2);
        String date = query.getOrDefault("X-Goog-Date", "");
        if (signature == null
                || !signed.contains("host")
                || !signed.equals(signed.stream().sorted().toList())
                || !query.getOrDefault("X-Goog-Algorithm", "").equals("GOOG4-RSA-SHA256")
                || credential.length != 2
                || !credential[1].equals(date.substring(0, 8) + "/auto/storage/goog4_request")) {
            return "MalformedSecurityHeader";
        }
        Instant from = TIME.parse(date, Instant::from);
        Duration life = Duration.ofSeconds(Long.parseLong(query.getOrDefault("X-Goog-Expires", "0")));
        if (life.compareTo(LONGEST) > 0 || from.minus(CLOCKS).isAfter(now)) {
            return "MalformedSecurityHeader";
        }
        if (from.plus(life).isBefore(now)) {
            return "ExpiredToken";
        }
        // Any of Google's own headers must be signed; one that is signed and has not come is empty.
        if (!headers.keySet().stream()
                .filter(each -> each.startsWith("x-goog-"))
                .allMatch(signed::contains)) {
            return "SignatureDoesNotMatch";
        }
        String canonical = method + "\n"
                + Arrays.stream(url.getRawPath().split("/", -1))
                        .map(each -> encoded(decoded(each)))
                        .collect(Collectors.joining("/"))
                + "\n"
                + query.entrySet().stream()
                        .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                        .sorted()
                        .collect(Collectors.joining("&"))
                + "\n"
                + signed.stream()
                        .map(each -> each.toLowerCase(Locale.ROOT) + ":"
                                + headers.getOrDefault(each, "").strip().replaceAll("\\s+", " ") + "\n")
                        .collect(Collectors.joining())
                + "\n" + String.join(";", signed) + "\n"
                + headers.getOrDefault("x-goog-content-sha256", "UNSIGNED-PAYLOAD");
        String toVerify = "GOOG4-RSA-SHA256\n" + date + "\n" + credential[1] + "\n" + sha256(canonical);
        return isOf(key, toVerify, signature) ? "" : "SignatureDoesNotMatch";
    }

    private static boolean isOf(PublicKey key, String text, String hex) {
        try {
            Signature verifier = Signature.getInstance("SHA256withRSA");
            verifier.initVerify(key);
            verifier.update(text.getBytes(StandardCharsets.UTF_8));
            return verifier.verify(HexFormat.of().parseHex(hex));
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** By RFC 3986: a '+' is one. */
    private static String decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%') {
                bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.write(text.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        StringBuilder out = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(each) >= 0) {
                out.append((char) each);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return out.toString();
    }
}
