package io.lambdafs.rpc.http;

import java.util.Map;
import java.util.function.Consumer;

/**
 * An answer with status 200 whose end is not known when it begins, as that of server-sent events. Immutable.
 *
 * @param contentType the value of {@code Content-Type}
 * @param headers more headers
 * @param opened is given the stream, on the server's event loop: must not block
 */
public record StreamedReply(String contentType, Map<String, String> headers, Consumer<HttpStream> opened) {
    public StreamedReply {
        headers = Map.copyOf(headers);
    }
}
