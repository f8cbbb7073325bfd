package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A channel whose receiving end stands still while its process is frozen, as the event loops of a stopped process do. */
public final class FreezableChannel implements InvalidationChannel {
    private final InvalidationChannel inner;
    private final ProcessScheduler process;

    public FreezableChannel(InvalidationChannel inner, ProcessScheduler process) {
        this.inner = inner;
        this.process = process;
    }

    @Override
    public CompletionStage<Endpoint> open(Receiver receiver) {
        return inner.open(new Receiver() {
            @Override
            public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
                return inProcess(() -> receiver.invalidate(invalidation));
            }

            @Override
            public CompletionStage<Acknowledgement> greet(Greeting greeting) {
                return inProcess(() -> receiver.greet(greeting));
            }
        });
    }

    private CompletionStage<Acknowledgement> inProcess(Supplier<CompletionStage<Acknowledgement>> answer) {
        return CompletableFuture.completedFuture(true).thenComposeAsync(started -> answer.get(), process);
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        return inner.invalidate(target, invalidation, timeoutNanos);
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return inner.greet(target, greeting, timeoutNanos);
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
