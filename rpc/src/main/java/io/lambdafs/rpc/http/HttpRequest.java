package io.lambdafs.rpc.http;

import io.lambdafs.rpc.auth.Secret;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to another server. Immutable but for the body's bytes, which the client owns once it has them.
 *
 * @param uri absolute, of scheme {@code http} or {@code https}
 * @param headers beside {@code Host} and {@code Content-Length}, which the client writes
 * @param body the whole body; empty for none
 * @param maxReplyBytes largest body of a reply; a larger one fails the request
 * @param timeoutNanos from now until the whole reply is there, positive
 * @param demanded the key that a server without TLS must prove to hold before it is sent anything; null for none
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

    /** A request to the server at an address. */
    public HttpRequest(
            String method, URI uri, Map<String, String> headers, byte[] body, int maxReplyBytes, long timeoutNanos) {
        this(method, uri, headers, body, maxReplyBytes, timeoutNanos, null);
    }

    /** Asks for a page. */
    public static HttpRequest get(URI uri, int maxReplyBytes, long timeoutNanos) {
        return new HttpRequest("GET", uri, Map.of(), new byte[0], maxReplyBytes, timeoutNanos);
    }

    /** The same for a server that proves to hold a key: without TLS once for each connection, by TLS by its certificate. */
    public HttpRequest demanding(@Nullable Secret key) {
        return new HttpRequest(method, uri, headers, body, maxReplyBytes, timeoutNanos, key);
    }
}
