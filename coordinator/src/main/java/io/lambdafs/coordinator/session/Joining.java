package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to join under a new epoch (PROTOCOL: E1, G3): take an epoch and its row from the store; register, then
 * list the members; get an acknowledgement from every listed member, or fence it; then renew, for the lease. This order
 * keeps two instances that join concurrently from missing each other. Single use; its steps run on the session's serial
 * executor.
 */
final class Joining {
    private final InstanceIdentity self;
    private final boolean caches;
    private final SessionContext context;
    private final SessionMembers members;
    private final Generations generations;
    private final Consumer<Member> known;
    private final long ackWaitNanos;
    private final Executor serial;
    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private long epoch;
    private boolean confirmed;
    private long begunAt;
    private boolean cancelled;
    private @Nullable Renewals renewals;

    /**
     * Creates an attempt.
     *
     * @param caches whether the instance may cache anything under the epoch
     * @param known called with each listed member
     * @param ackWaitNanos how long it waits for an acknowledgement before it fences
     */
    Joining(
            InstanceIdentity self,
            boolean caches,
            SessionContext context,
            SessionMembers members,
            Generations generations,
            Consumer<Member> known,
            long ackWaitNanos,
            Executor serial) {
        this.self = self;
        this.caches = caches;
        this.context = context;
        this.members = members;
        this.generations = generations;
        this.known = known;
        this.ackWaitNanos = ackWaitNanos;
        this.serial = serial;
    }

    /** Returns the epoch taken; 0 while none is known to be this instance's. */
    long epoch() {
        return epoch;
    }

    /** Returns the renewals begun by this attempt, which continue with the epoch. */
    @Nullable
    Renewals renewals() {
        return renewals;
    }

    /** Ends the attempt at its next step. */
    void cancel() {
        cancelled = true;
    }

    /**
     * Runs the attempt; the result is when a renewal was sent that succeeded after all had acknowledged the epoch. Ends
     * at once when the epoch is lost.
     */
    CompletionStage<Long> run(InvalidationChannel.Endpoint endpoint, SessionEnd lost) {
        begunAt = context.scheduler().nanoTime();
        CompletionStage<Long> steps = new Epochs(context.store(), context.scheduler())
                .take(self)
                .thenComposeAsync(taken -> register(taken, endpoint), serial)
                .thenComposeAsync(list -> greet(list, lost), serial)
                .thenComposeAsync(greeted -> lease(context.scheduler().nanoTime()), serial);
        Stages.copy(steps, result);
        return result;
    }

    /**
     * Renews for the lease, now that all have acknowledged the epoch: again if that fails or takes longer than a lease,
     * for at most one attempt's time.
     *
     * @return when the renewal was sent whose lease still stands
     */
    private CompletionStage<Long> lease(long since) {
        checkWanted();
        Renewals begun = Objects.requireNonNull(renewals);
        long held = context.times().held().toNanos();
        CompletableFuture<Long> leased = new CompletableFuture<>();
        Stages.within(begun.first(), held, context.scheduler(), () -> tooSlow(held))
                .whenCompleteAsync((sentAt, failure) -> leased(since, sentAt, failure, leased), serial);
        return leased;
    }

    private static FsException tooSlow(long held) {
        return FsException.unavailable(
                "a renewal of the lease was not answered within " + TimeUnit.NANOSECONDS.toMillis(held)
                        + " ms: the machine or the coordinator is too slow for this lease");
    }

    private void leased(
            long since, @Nullable Long sentAt, @Nullable Throwable failure, CompletableFuture<Long> leased) {
        Scheduler scheduler = context.scheduler();
        if (failure == null) {
            leased.complete(sentAt);
        } else if (FsException.of(failure).code() == ErrorCode.FENCED
                || scheduler.nanoTime() - since >= context.times().attempt().toNanos()) {
            leased.completeExceptionally(failure);
        } else {
            long pause = context.times().held().toNanos() / 3;
            scheduler.schedule(pause, () -> Stages.copy(Stages.call(() -> lease(since)), leased));
        }
    }

    /** Called when an epoch's lease is lost. */
    @FunctionalInterface
    interface SessionEnd {
        void lost(long epoch, String reason);
    }

    private CompletionStage<View> register(Epochs.Taken taken, InvalidationChannel.Endpoint endpoint) {
        epoch = taken.epoch();
        confirmed = taken.confirmed();
        generations.joins(taken.placement());
        checkWanted();
        if (epoch == 0) {
            throw new FsException(
                    ErrorCode.RESIZED,
                    "there is no deployment " + self.deployment() + ": the file system has "
                            + taken.placement().deployments() + ", numbered from 0");
        }
        if (context.scheduler().nanoTime() - begunAt > context.times().attempt().toNanos()) {
            // This process was paused: others may have taken it for crashed.
            throw new FsException(ErrorCode.FENCED, "the join took too long; the instance joins again by itself");
        }
        if (confirmed && context.times().lease().compareTo(ConfirmedLeases.LONGEST) > 0) {
            throw FsException.invalidArgument(
                    "a lease of " + context.times().lease().toMillis() + " ms is too long for this store, whose"
                            + " database may come back older: lower times.leaseMillis to at most "
                            + ConfirmedLeases.LONGEST.toMillis());
        }
        Member member = new Member(
                epoch,
                self.deployment(),
                self.instance(),
                endpoint.host(),
                endpoint.port(),
                caches,
                taken.placement().generation());
        members.lease().begin(epoch);
        return Stages.call(() -> context.coordinator().register(member));
    }

    private CompletionStage<@Nullable Void> greet(View list, SessionEnd lost) {
        checkWanted();
        long taken = epoch;
        // From here on, not only after the join, lest this member look absent to the others.
        renewals = new Renewals(
                new Epochs.Taken(taken, generations.current(), confirmed),
                members.lease(),
                context,
                reason -> lost.lost(taken, reason));
        renewals.start();
        Member mine = list.members().get(epoch);
        if (mine == null) {
            return CompletableFuture.failedFuture(new FsException(
                    ErrorCode.FENCED, "epoch " + epoch + " was fenced while it joined; it joins again by itself"));
        }
        if (generations.later(list) != null) {
            // It may have listed the members before this one registered, and so expects no answer from it.
            return CompletableFuture.failedFuture(new FsException(
                    ErrorCode.FENCED,
                    "the number of deployments was changed during the join; it joins again by itself"));
        }
        List<Member> others = new ArrayList<>();
        for (Member member : list.members().values()) {
            known.accept(member);
            if (member.epoch() != epoch) {
                others.add(member);
            }
        }
        Greeting greeting = new Greeting(mine);
        Round round = new Round(
                context,
                members,
                ackWaitNanos,
                (target, timeoutNanos) -> context.channel().greet(target, greeting, timeoutNanos));
        result.whenComplete((done, failure) -> {
            if (failure != null) {
                round.end(FsException.of(failure));
            }
        });
        return round.run(others, list.absent());
    }

    /** Ends the attempt, whose epoch is lost: it must not fence anyone any more. */
    void end(String reason) {
        result.completeExceptionally(new FsException(
                ErrorCode.FENCED, "the join ended: " + reason + "; the instance joins again by itself"));
    }

    private void checkWanted() {
        if (cancelled) {
            throw new FsException(ErrorCode.NOT_READY, "the instance left while it joined");
        }
    }
}
