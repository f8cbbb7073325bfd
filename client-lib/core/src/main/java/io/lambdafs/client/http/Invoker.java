package io.lambdafs.client.http;

import io.lambdafs.rpc.message.OperationReply;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The SPI for calling functions through the FaaS platform, which makes it scale (the paper's §3.2). Thread-safe. */
public interface Invoker {
    /**
     * Calls a function.
     *
     * @return the reply, empty for a call without a request; fails with an {@code FsException}: {@code UNAVAILABLE} (nothing was
     *     sent, or there is no such function), {@code THROTTLED}, {@code UNAUTHENTICATED}, {@code FUNCTION_FAILED}, {@code TIMED_OUT}, {@code CONNECTION_LOST},
     *     {@code INVALID_ARGUMENT} (too large), {@code INTERNAL}; never with {@code NOT_FOUND}
     */
    CompletionStage<Optional<OperationReply>> invoke(Invocation invocation);

    /** Returns whether any call has reached the platform: answered in any way, or lost once a connection was open. */
    boolean hasReached();
}
