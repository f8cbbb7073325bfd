package io.lambdafs.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import io.lambdafs.rpc.message.OperationReply;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Polls OpenWhisk for the record of a call that it has stopped waiting for (202), which exists only after the call has
 * ended. The intervals grow, because polls count against the same limits as calls. For one call. Thread-safe; never
 * blocks.
 */
final class LateActivation {
    private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http;
    private final Scheduler scheduler;
    private final FunctionBody bodies;
    private final Invocation invocation;
    private final String function;
    private final long deadlineNanos;
    private final CompletableFuture<Optional<OperationReply>> outcome = new CompletableFuture<>();

    /** @param deadlineNanos when to stop polling, by the scheduler's clock */
    LateActivation(
            HttpClient http,
            Scheduler scheduler,
            FunctionBody bodies,
            Invocation invocation,
            String function,
            long deadlineNanos) {
        this.http = http;
        this.scheduler = scheduler;
        this.bodies = bodies;
        this.invocation = invocation;
        this.function = function;
        this.deadlineNanos = deadlineNanos;
    }

    /** Returns the id in the body of a 202; null if there is none. */
    static @Nullable String id(byte[] body) {
        try {
            String id = JSON.readTree(body).path("activationId").asText();
            return id.matches("[0-9a-f]{32}") ? id : null;
        } catch (IOException notJson) {
            return null;
        }
    }

    /**
     * Polls until there is an answer or time is up.
     *
     * @param question creates the request for the record, given its timeout in nanoseconds
     */
    CompletionStage<Optional<OperationReply>> await(LongFunction<HttpRequest> question) {
        ask(question, FIRST_WAIT_NANOS);
        return outcome;
    }

    private void ask(LongFunction<HttpRequest> question, long waitNanos) {
        long left = deadlineNanos - scheduler.nanoTime();
        if (left <= waitNanos) {
            fail(ErrorCode.TIMED_OUT, "the platform stopped waiting for " + function + ", which has not ended in time");
            return;
        }
        try {
            scheduler.schedule(
                    waitNanos,
                    () -> http.send(question.apply(left - waitNanos)).whenComplete((reply, thrown) -> {
                        if (thrown == null && isAnswer(reply.status())) {
                            complete(reply);
                        } else {
                            ask(question, Math.min(2 * waitNanos, LONGEST_WAIT_NANOS));
                        }
                    }));
        } catch (FsException full) {
            outcome.completeExceptionally(full);
        }
    }

    /** Returns whether a status is final; missing records, too many requests and a failing controller are transient. */
    private static boolean isAnswer(int status) {
        return status != 404 && status != 429 && status < 500;
    }

    private void complete(HttpReply reply) {
        if (reply.status() != 200) {
            fail(
                    ErrorCode.TIMED_OUT,
                    "the platform stopped waiting for " + function
                            + ", and does not show what became of the call (status " + reply.status() + ")");
            return;
        }
        try {
            JsonNode response = JSON.readTree(reply.body()).path("response");
            JsonNode result = response.path("result");
            if (!response.path("success").asBoolean()) {
                fail(
                        ErrorCode.FUNCTION_FAILED,
                        "an instance of " + function + " failed under the call ("
                                + response.path("status").asText() + ")");
            } else if (result.isEmpty()) {
                fail(ErrorCode.TIMED_OUT, "the platform stopped waiting for " + function + ", and kept no answer");
            } else {
                outcome.complete(bodies.read(result, invocation, function));
            }
        } catch (IOException e) {
            fail(ErrorCode.TIMED_OUT, "the record of a call of " + function + " is no JSON");
        } catch (FsException failure) {
            outcome.completeExceptionally(failure);
        }
    }

    private void fail(ErrorCode code, String message) {
        outcome.completeExceptionally(new FsException(code, message));
    }
}
