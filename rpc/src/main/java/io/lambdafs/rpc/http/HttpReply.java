package io.lambdafs.rpc.http;

import io.lambdafs.rpc.http.body.ReplySource;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP reply. Immutable except the body's bytes, which the server owns once passed to it.
 *
 * @param status an HTTP status code
 * @param contentType the value of {@code Content-Type}; empty for none
 * @param body the whole body
 * @param headers more headers
 * @param source of a body that is made while it is sent; then {@code body} is empty
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are handed on, never compared.
public record HttpReply(
        int status,
        String contentType,
        byte[] body,
        Map<String, String> headers,
        @Nullable ReplySource source) {
    public HttpReply {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("not a final HTTP status: " + status);
        }
        headers = Map.copyOf(headers);
    }

    /** A reply with its whole body. */
    public HttpReply(int status, String contentType, byte[] body, Map<String, String> headers) {
        this(status, contentType, body, headers, null);
    }

    /** Returns a reply whose body is made while it is sent. */
    public static HttpReply of(int status, String contentType, ReplySource source) {
        return new HttpReply(status, contentType, new byte[0], Map.of(), source);
    }

    public static HttpReply json(int status, byte[] body) {
        return new HttpReply(status, "application/json", body, Map.of());
    }

    public static HttpReply json(int status, String body) {
        return json(status, body.getBytes(StandardCharsets.UTF_8));
    }

    public static HttpReply text(int status, String body) {
        return new HttpReply(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    public static HttpReply empty(int status) {
        return new HttpReply(status, "", new byte[0], Map.of());
    }

    /** Returns the reply with one more header. */
    public HttpReply withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new HttpReply(status, contentType, body, more, source);
    }
}
