package io.lambdafs.rpc.http;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A complete HTTP request. Immutable except the body's bytes, which belong to the handler.
 *
 * @param method in capitals
 * @param path decoded, without the query
 * @param query decoded; of a repeated parameter the first value, of one without {@code =} the empty string
 * @param headers by lower-case name; of a repeated header the first value
 * @param body at most {@link HttpLimits#maxBodyBytes()} bytes; empty if there is none
 * @param remote the peer's address
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are handed on, never compared.
public record HttpCall(
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        byte[] body,
        InetSocketAddress remote) {
    public HttpCall {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
    }

    /** Returns a header's value; the name is case-insensitive. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    /** Returns whether a switch like {@code ?blocking} or {@code ?blocking=true} is on. */
    public boolean flag(String name) {
        String value = query.get(name);
        return value != null && (value.isEmpty() || value.equalsIgnoreCase("true"));
    }
}
