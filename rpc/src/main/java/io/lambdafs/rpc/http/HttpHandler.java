package io.lambdafs.rpc.http;

import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.body.HttpBody;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Answers requests. Called on the server's event loops, several at once: must be thread-safe and must not block. */
@FunctionalInterface
public interface HttpHandler {
    /** Answers one request; a failure, thrown or in the stage, is logged and answered with 500. */
    CompletionStage<HttpReply> handle(HttpCall call);

    /**
     * Returns the reply to a request answered as a stream; empty to use {@link #handle} instead. The connection closes
     * at the stream's end and counts as a request in flight until then.
     */
    default Optional<StreamedReply> stream(HttpCall call) {
        return Optional.empty();
    }

    /**
     * Returns how to answer a request whose body, of any length, is taken while it comes; empty to have it collected for
     * {@link #handle}. If the answer comes before the body's end, the connection closes. Called after {@link #refuse}.
     */
    default Optional<Function<HttpBody, CompletionStage<HttpReply>>> taking(HttpCall head) {
        return Optional.empty();
    }

    /**
     * Returns a refusal of a request by its head alone, for instance for lack of a key; empty to continue. A refused
     * request's body is not read, and the connection closes after the reply. Called before {@link #handle}, with an
     * empty body.
     */
    default Optional<HttpReply> refuse(HttpCall head) {
        return Optional.empty();
    }

    /** Returns the keys whose possession the server proves on request ({@link HttpRequest#demanding}). */
    default List<Secret> keys() {
        return List.of();
    }

    /**
     * Returns the reply to a request refused by the server itself: 400 (malformed), 408 (too slow), 413 (body over the
     * limit), 414 and 431 (request line or headers over the limit), 500 (the handler failed), 503 (too many
     * connections, requests in flight or bytes).
     */
    default HttpReply refusal(int status, String message) {
        return HttpReply.text(status, message + "\n");
    }
}
