package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A channel that loses what is sent and what comes while it is cut. Thread-safe. */
public final class CuttableChannel implements InvalidationChannel {
    private final InvalidationChannel inner;
    private final Scheduler process;
    private volatile boolean cut;

    public CuttableChannel(InvalidationChannel inner, Scheduler process) {
        this.inner = inner;
        this.process = process;
    }

    public void cut() {
        cut = true;
    }

    @Override
    public CompletionStage<Endpoint> open(Receiver receiver) {
        return inner.open(new Receiver() {
            @Override
            public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
                return cut ? new CompletableFuture<>() : receiver.invalidate(invalidation);
            }

            @Override
            public CompletionStage<Acknowledgement> greet(Greeting greeting) {
                return cut ? new CompletableFuture<>() : receiver.greet(greeting);
            }
        });
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        return cut ? lost(timeoutNanos) : inner.invalidate(target, invalidation, timeoutNanos);
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return cut ? lost(timeoutNanos) : inner.greet(target, greeting, timeoutNanos);
    }

    private CompletionStage<Acknowledgement> lost(long timeoutNanos) {
        CompletableFuture<Acknowledgement> ack = new CompletableFuture<>();
        process.schedule(
                timeoutNanos,
                () -> ack.completeExceptionally(new FsException(ErrorCode.TIMED_OUT, "lost on the cut way")));
        return ack;
    }

    @Override
    public void retain(View view) {
        inner.retain(view);
    }

    @Override
    public void close() {
        inner.close();
    }
}
