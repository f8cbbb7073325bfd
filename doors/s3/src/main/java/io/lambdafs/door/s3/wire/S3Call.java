package io.lambdafs.door.s3.wire;

import io.lambdafs.rpc.http.HttpCall;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A call whose sender is known. Immutable.
 *
 * @param bucket empty for the service itself
 * @param key decoded; empty for the bucket itself
 */
public record S3Call(HttpCall http, String user, String bucket, String key) {
    private static final int LONGEST_PORT = 6;

    /**
     * Returns a call.
     *
     * @param domain below which names of hosts begin with a bucket; empty for none
     */
    public static S3Call of(HttpCall http, String user, String domain) {
        String path = http.path().startsWith("/") ? http.path().substring(1) : http.path();
        String host = bare(http.header("host").orElse(""));
        if (!domain.isEmpty() && host.endsWith("." + domain)) {
            return new S3Call(http, user, host.substring(0, host.length() - domain.length() - 1), path);
        }
        int slash = path.indexOf('/');
        return slash < 0
                ? new S3Call(http, user, path, "")
                : new S3Call(http, user, path.substring(0, slash), path.substring(slash + 1));
    }

    private static String bare(String host) {
        int port = host.lastIndexOf(':');
        return (port > host.lastIndexOf(']') && host.length() - port <= LONGEST_PORT ? host.substring(0, port) : host)
                .toLowerCase(Locale.ROOT);
    }

    public String method() {
        return http.method();
    }

    /** Returns whether the query has a parameter, which may be without a value. */
    public boolean asks(String parameter) {
        return http.query().containsKey(parameter);
    }

    /** Returns a parameter of the query; empty if there is none. */
    public String query(String parameter) {
        return http.query().getOrDefault(parameter, "");
    }

    /** Returns a whole number of the query. */
    public int number(String parameter, int otherwise, int most) {
        return number(parameter, query(parameter), otherwise, most);
    }

    /** Returns a whole number of a header. */
    public int numberOfHeader(String name, int otherwise, int most) {
        return number(name, header(name).orElse(""), otherwise, most);
    }

    private static int number(String parameter, String text, int otherwise, int most) {
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return Math.min(number, most);
            }
        } catch (NumberFormatException e) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, parameter + " is no whole number", e);
        }
        throw new S3Failure(S3Code.INVALID_ARGUMENT, parameter + " is negative");
    }

    /** Returns whether a listing's keys are encoded, since XML cannot hold every character. */
    public boolean encodesKeys() {
        String encoding = query("encoding-type");
        if (!encoding.isEmpty() && !encoding.equals("url")) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "encoding-type is url, or is not there");
        }
        return !encoding.isEmpty();
    }

    /** Returns a key as this listing shows it. */
    public String shown(String key) {
        return encodesKeys() ? encodedPath(key) : key;
    }

    /** Returns a header, decoded from UTF-8. */
    public Optional<String> header(String name) {
        return http.header(name).map(S3Call::decoded);
    }

    /** Returns a header's text: the codec makes a character of each byte. */
    public static String decoded(String value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException latin) {
            return value;
        }
    }

    /** Returns a header's text as the codec takes it. */
    public static String encodedHeader(String value) {
        return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** Encodes a text as signatures and listings do: all but letters, digits and {@code -._~}. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    /** Encodes a path, in which slashes stay. */
    public static String encodedPath(String path) {
        return encoded(path).replace("%2F", "/");
    }
}
