package io.lambdafs.rpc.http;

import io.lambdafs.rpc.auth.Secret;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Answers requests. Called on the server's event loops, several at once: must be thread-safe and must not block. */
@FunctionalInterface
public interface HttpHandler {
    /** Answers one request; a failure, thrown or in the stage, is logged and answered with 500. */
    CompletionStage<HttpReply> handle(HttpCall call);

    /**
     * The answer to a request that is answered piece by piece; empty where {@link #handle} answers it, which is not asked otherwise. The
     * connection ends with it, and counts as a request in flight until then.
     */
    default Optional<StreamedReply> stream(HttpCall call) {
        return Optional.empty();
    }

    /**
     * Whether a request is refused by its head alone, as one without a key is: then its body is not taken, and the connection closes
     * after the reply. Called before {@link #handle}, with an empty body; empty to go on.
     */
    default Optional<HttpReply> refuse(HttpCall head) {
        return Optional.empty();
    }

    /** The keys that the server proves to hold when a client asks ({@link HttpRequest#demanding}). */
    default List<Secret> keys() {
        return List.of();
    }

    /**
     * The reply to what the server itself refuses: 400 (malformed), 408 (it came too slowly), 413 (body over the limit), 414 and 431
     * (request line or headers over the limit), 500 (the handler failed), 503 (too many connections, requests in flight or bytes).
     */
    default HttpReply refusal(int status, String message) {
        return HttpReply.text(status, message + "\n");
    }
}
