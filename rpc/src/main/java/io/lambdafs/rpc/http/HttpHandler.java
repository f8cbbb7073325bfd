package io.lambdafs.rpc.http;

import java.util.concurrent.CompletionStage;

/** Answers requests. Called on the server's event loops, several at once: must be thread-safe and must not block. */
@FunctionalInterface
public interface HttpHandler {
    /** Answers one request; a failure, thrown or in the stage, is logged and answered with 500. */
    CompletionStage<HttpReply> handle(HttpCall call);

    /**
     * The reply to what the server itself refuses: 400 (malformed), 413 (body over the limit), 414 and 431 (request line or
     * headers over the limit), 500 (the handler failed), 503 (too many connections or requests in flight).
     */
    default HttpReply refusal(int status, String message) {
        return HttpReply.text(status, message + "\n");
    }
}
