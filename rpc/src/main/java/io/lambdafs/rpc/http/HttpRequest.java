package io.lambdafs.rpc.http;

import java.net.URI;
import java.util.Map;

/**
 * A request to another server. Immutable but for the body's bytes, which the client owns once it has them.
 *
 * @param uri absolute, of scheme {@code http} or {@code https}
 * @param headers beside {@code Host} and {@code Content-Length}, which the client writes
 * @param body the whole body; empty for none
 * @param maxReplyBytes largest body of a reply; a larger one fails the request
 * @param timeoutNanos from now until the whole reply is there, positive
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are handed on, never compared.
public record HttpRequest(
        String method, URI uri, Map<String, String> headers, byte[] body, int maxReplyBytes, long timeoutNanos) {
    public HttpRequest {
        String scheme = uri.getScheme();
        if (uri.getHost() == null || !("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))) {
            throw new IllegalArgumentException("no address of an HTTP server: " + uri);
        }
        headers = Map.copyOf(headers);
    }

    /** Asks for a page. */
    public static HttpRequest get(URI uri, int maxReplyBytes, long timeoutNanos) {
        return new HttpRequest("GET", uri, Map.of(), new byte[0], maxReplyBytes, timeoutNanos);
    }

    /** A body of JSON for a path. */
    public static HttpRequest post(URI uri, byte[] json, int maxReplyBytes, long timeoutNanos) {
        return new HttpRequest(
                "POST", uri, Map.of("Content-Type", "application/json"), json, maxReplyBytes, timeoutNanos);
    }
}
