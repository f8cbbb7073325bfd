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
     * Returns a refusal of a request by its head alone, for instance for lack of a key; empty to continue.
     */
    default Optional<HttpReply> refuse(HttpCall head) {
        return Optional.empty();
    }

    /**
     * Decides by a request's head, with an empty body, what becomes of it: what was found out of the head, like who
     * sent it, is known to the answer. By default it is refused by {@link #refuse}, or answered by {@link #handle}.
     */
    default Admission admit(HttpCall head) {
        return refuse(head)
                .<Admission>map(Admission.Refused::new)
                .orElseGet(() -> new Admission.Collected(this::handle));
    }

    /** The way that a request goes on. */
    sealed interface Admission {
        /** It is not read to its end, and the connection closes after the reply. */
        record Refused(HttpReply reply) implements Admission {}

        /** It is answered while its body, of any length, comes; if the answer is first, the connection closes. */
        record Taken(Function<HttpBody, CompletionStage<HttpReply>> answer) implements Admission {}

        /** It is answered once its body has come. */
        record Collected(Function<HttpCall, CompletionStage<HttpReply>> answer) implements Admission {}
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
