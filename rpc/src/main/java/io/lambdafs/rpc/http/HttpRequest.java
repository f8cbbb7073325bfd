package io.lambdafs.rpc.http;

import io.lambdafs.rpc.auth.Secret;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client's request. Immutable except the body's bytes, which the client owns once passed to it.
 *
 * @param uri absolute, of scheme {@code http} or {@code https}
 * @param headers other than {@code Host} and {@code Content-Length}, which the client writes
 * @param body the whole body; empty for none
 * @param maxReplyBytes maximum reply body; a larger one fails the request
 * @param timeoutNanos limit until the whole reply has arrived, positive
 * @param demanded the key that a server without TLS must first prove to hold; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are handed on, never compared.
public record HttpRequest(
        String method,
        URI uri,
        Map<String, String> headers,
        byte[] body,
        int maxReplyBytes,
        long timeoutNanos,
        @Nullable Secret demanded) {
    public HttpRequest {
        String scheme = uri.getScheme();
        if (uri.getHost() == null || !("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))) {
            throw new IllegalArgumentException("no address of an HTTP server: " + uri);
        }
        headers = Map.copyOf(headers);
    }

    /** Creates a request to the server at an address. */
    public HttpRequest(
            String method, URI uri, Map<String, String> headers, byte[] body, int maxReplyBytes, long timeoutNanos) {
        this(method, uri, headers, body, maxReplyBytes, timeoutNanos, null);
    }

    /** Returns a GET request. */
    public static HttpRequest get(URI uri, int maxReplyBytes, long timeoutNanos) {
        return new HttpRequest("GET", uri, Map.of(), new byte[0], maxReplyBytes, timeoutNanos);
    }

    /**
     * Returns the request for a server that must prove possession of a key: once per connection without TLS, by its
     * certificate with TLS.
     */
    public HttpRequest demanding(@Nullable Secret key) {
        return new HttpRequest(method, uri, headers, body, maxReplyBytes, timeoutNanos, key);
    }
}
