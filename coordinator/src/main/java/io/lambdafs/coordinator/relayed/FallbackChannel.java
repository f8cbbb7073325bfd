package io.lambdafs.coordinator.relayed;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Combines two channels (PROTOCOL: M3). A member that does not acknowledge on the first within half the time, or cannot
 * be reached by it, is also asked on the second; the first ACK on either counts. Both attempts fit in the caller's
 * timeout, and two instances partitioned from each other but not from the coordinator do not fence each other. A member
 * that answered only on the second channel is asked on both at once the next time. Thread-safe.
 */
public final class FallbackChannel implements InvalidationChannel {
    private static final Logger log = LoggerFactory.getLogger(FallbackChannel.class);

    private final InvalidationChannel first;
    private final InvalidationChannel second;
    private final Scheduler scheduler;
    /** Members that answer only on the second channel. */
    private final Set<Long> cutOff = ConcurrentHashMap.newKeySet();

    /** Creates a channel that owns both and has the first one's address. */
    public FallbackChannel(InvalidationChannel first, InvalidationChannel second, Scheduler scheduler) {
        this.first = first;
        this.second = second;
        this.scheduler = scheduler;
    }

    @Override
    public CompletionStage<Endpoint> open(Receiver receiver) {
        return second.open(receiver).thenCompose(opened -> first.open(receiver));
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        return new Tries(
                        target,
                        timeoutNanos,
                        nanos -> first.invalidate(target, invalidation, nanos),
                        nanos -> second.invalidate(target, invalidation, nanos))
                .begin();
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return new Tries(
                        target,
                        timeoutNanos,
                        nanos -> first.greet(target, greeting, nanos),
                        nanos -> second.greet(target, greeting, nanos))
                .begin();
    }

    @Override
    public void retain(View view) {
        cutOff.retainAll(view.members().keySet());
        first.retain(view);
        second.retain(view);
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }

    private void answeredBy(boolean byFirst, Member target) {
        if (byFirst ? cutOff.remove(target.epoch()) : cutOff.add(target.epoch())) {
            log.info(
                    "Epoch {} (instance {}) answers {}",
                    target.epoch(),
                    target.instance(),
                    byFirst ? "directly again" : "by the second channel only");
        }
    }

    /** The attempts to reach one member with one message. */
    private final class Tries {
        private final Member target;
        private final long deadline;
        private final long patienceNanos;
        private final Function<Long, CompletionStage<Acknowledgement>> bySecond;
        private final Function<Long, CompletionStage<Acknowledgement>> byFirst;
        private final CompletableFuture<Acknowledgement> answer = new CompletableFuture<>();
        private boolean secondBegun;
        private @Nullable FsException firstFailure;
        private @Nullable FsException secondFailure;

        Tries(
                Member target,
                long timeoutNanos,
                Function<Long, CompletionStage<Acknowledgement>> byFirst,
                Function<Long, CompletionStage<Acknowledgement>> bySecond) {
            this.target = target;
            this.deadline = scheduler.nanoTime() + timeoutNanos;
            this.patienceNanos = timeoutNanos / 2;
            this.byFirst = byFirst;
            this.bySecond = bySecond;
        }

        CompletionStage<Acknowledgement> begin() {
            Stages.call(() -> byFirst.apply(left())).whenComplete(this::firstEnded);
            if (cutOff.contains(target.epoch())) {
                trySecond();
            } else if (!answer.isDone()) {
                Scheduler.Timer impatient = scheduler.schedule(patienceNanos, this::trySecond);
                answer.whenComplete((ack, failure) -> impatient.cancel());
            }
            return answer;
        }

        private void trySecond() {
            synchronized (this) {
                if (secondBegun || answer.isDone()) {
                    return;
                }
                secondBegun = true;
            }
            Stages.call(() -> bySecond.apply(left())).whenComplete(this::secondEnded);
        }

        private void firstEnded(@Nullable Acknowledgement ack, @Nullable Throwable failure) {
            if (ack != null) {
                answeredBy(true, target);
                answer.complete(ack);
                return;
            }
            FsException why = FsException.of(Objects.requireNonNull(failure));
            if (why.code() == ErrorCode.OVERLOADED || why.code() == ErrorCode.BAD_FRAME) {
                // Nothing was sent, so this says nothing about the target: the caller decides.
                answer.completeExceptionally(why);
                return;
            }
            synchronized (this) {
                firstFailure = why;
            }
            trySecond();
            settle();
        }

        private void secondEnded(@Nullable Acknowledgement ack, @Nullable Throwable failure) {
            if (ack != null) {
                if (answer.complete(ack)) {
                    answeredBy(false, target);
                }
                return;
            }
            synchronized (this) {
                secondFailure = FsException.of(Objects.requireNonNull(failure));
            }
            settle();
        }

        /**
         * Fails when both have failed: as not sent if the second attempt was not made, because without it no member is
         * fenced.
         */
        private void settle() {
            FsException why;
            synchronized (this) {
                if (firstFailure == null || secondFailure == null) {
                    return;
                }
                why = secondFailure.code() == ErrorCode.OVERLOADED ? secondFailure : firstFailure;
            }
            answer.completeExceptionally(why);
        }

        private long left() {
            return Math.max(1, deadline - scheduler.nanoTime());
        }
    }
}
