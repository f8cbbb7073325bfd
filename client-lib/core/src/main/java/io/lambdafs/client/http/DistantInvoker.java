package io.lambdafs.client.http;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.OperationReply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An invoker at an emulated distance, for experiments: every outcome is told later by a round trip. Thread-safe; never
 * blocks.
 */
final class DistantInvoker implements Invoker {
    private final Invoker near;
    private final Scheduler scheduler;
    private final long roundTripNanos;

    DistantInvoker(Invoker near, Scheduler scheduler, Duration roundTrip) {
        this.near = near;
        this.scheduler = scheduler;
        this.roundTripNanos = roundTrip.toNanos();
    }

    @Override
    public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        CompletableFuture<Optional<OperationReply>> outcome = new CompletableFuture<>();
        near.invoke(invocation)
                .whenComplete((reply, failure) -> scheduler.schedule(roundTripNanos, () -> {
                    if (failure == null) {
                        outcome.complete(reply);
                    } else {
                        outcome.completeExceptionally(failure);
                    }
                }));
        return outcome;
    }

    @Override
    public boolean hasReached() {
        return near.hasReached();
    }
}
