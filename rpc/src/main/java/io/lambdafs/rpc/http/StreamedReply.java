package io.lambdafs.rpc.http;

import java.util.Map;
import java.util.function.Consumer;

/**
 * A reply with status 200 of unknown length, such as server-sent events. Immutable.
 *
 * @param contentType the value of {@code Content-Type}
 * @param headers more headers
 * @param opened receives the stream, on the server's event loop; must not block
 */
public record StreamedReply(String contentType, Map<String, String> headers, Consumer<HttpStream> opened) {
    public StreamedReply {
        headers = Map.copyOf(headers);
    }
}
