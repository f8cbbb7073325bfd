package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One instance's end of a {@link MemoryNetwork}. Thread-safe. */
public final class MemoryChannel implements InvalidationChannel {
    private final MemoryNetwork network;
    private final Scheduler process;
    private volatile @Nullable Receiver receiver;
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile int port;

    MemoryChannel(MemoryNetwork network, Scheduler process) {
        this.network = network;
        this.process = process;
    }

    /** Isolates this instance from all others: messages to or from it are lost. */
    public void isolate() {
        network.isolate(port, true);
    }

    /** Ends {@link #isolate}. */
    public void heal() {
        network.isolate(port, false);
    }

    /** Rejects the next messages, as a connection at its limit does. */
    public void overload(int messages) {
        refusals.set(messages);
    }

    @Override
    public CompletionStage<Endpoint> open(Receiver answering) {
        receiver = answering;
        Endpoint endpoint = network.listen(this);
        port = endpoint.port();
        return CompletableFuture.completedFuture(endpoint);
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        return send(target, to -> to.invalidate(invalidation), timeoutNanos);
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return send(target, to -> to.greet(greeting), timeoutNanos);
    }

    private CompletionStage<Acknowledgement> send(
            Member target, Function<Receiver, CompletionStage<Acknowledgement>> message, long timeoutNanos) {
        if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return CompletableFuture.failedFuture(
                    new FsException(ErrorCode.OVERLOADED, "too many messages wait to be sent; try again"));
        }
        CompletableFuture<Acknowledgement> ack = new CompletableFuture<>();
        Scheduler.Timer limit = process.schedule(
                timeoutNanos,
                () -> ack.completeExceptionally(new FsException(
                        ErrorCode.TIMED_OUT, "instance " + target.instance() + " did not acknowledge in time")));
        ack.whenComplete((value, failure) -> limit.cancel());
        network.after(() -> {
            if (network.separated(port, target.port())) {
                return;
            }
            MemoryChannel there = network.at(target.port());
            Receiver to = there == null ? null : there.receiver;
            if (there == null || to == null) {
                network.after(() -> process.execute(() -> ack.completeExceptionally(new FsException(
                        ErrorCode.CONNECTION_LOST, "nobody listens for instance " + target.instance()))));
                return;
            }
            there.process.execute(() -> message.apply(to).whenComplete((value, failure) -> {
                network.after(() -> answer(target, value, failure, ack));
            }));
        });
        return ack;
    }

    private void answer(
            Member from,
            @Nullable Acknowledgement value,
            @Nullable Throwable failure,
            CompletableFuture<Acknowledgement> ack) {
        if (network.separated(port, from.port())) {
            return;
        }
        process.execute(() -> {
            if (value != null) {
                ack.complete(value);
            } else if (failure != null) {
                ack.completeExceptionally(FsException.of(failure));
            }
        });
    }

    @Override
    public void close() {
        network.close(port);
    }
}
