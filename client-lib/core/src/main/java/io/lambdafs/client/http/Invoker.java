package io.lambdafs.client.http;

import io.lambdafs.rpc.OperationReply;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Calls functions through the FaaS platform, which is what makes it scale (the paper's §3.2). Thread-safe. */
public interface Invoker {
    /**
     * Calls a function.
     *
     * @return the reply, empty for a call without a request; fails with an {@code FsException}: {@code UNAVAILABLE} (nothing was
     *     sent, or there is no such function), {@code THROTTLED}, {@code UNAUTHENTICATED}, {@code FUNCTION_FAILED}, {@code TIMED_OUT}, {@code CONNECTION_LOST},
     *     {@code INVALID_ARGUMENT} (too large), {@code INTERNAL}; never with {@code NOT_FOUND}
     */
    CompletionStage<Optional<OperationReply>> invoke(Invocation invocation);

    /** Whether any call has reached the platform yet: it was answered, in whatever way, or lost after it was sent. */
    boolean hasReached();
}
