package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Stages;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message to several members and waits until each has acknowledged, left, or been fenced (the paper's §3.5;
 * PROTOCOL: W5, E1). Rounds of INVs and of greetings are alike. All members are asked at once; each has the ACK wait to
 * answer, with a second attempt in that time if the first failed fast. Single use; thread-safe.
 */
final class Round {
    /** Sends the round's message to one member. */
    @FunctionalInterface
    interface Sender {
        CompletionStage<Acknowledgement> send(Member target, long timeoutNanos);
    }

    /** Pause before a member is asked again, in nanoseconds; the member itself delays its answer while it drains. */
    private static final long PAUSE_NANOS = 5_000_000;

    private final SessionContext context;
    private final Roster roster;
    private final Fence fence;
    private final Sender sender;
    private final long ackWaitNanos;
    private final long startedAt;
    private final Map<Long, Member> pending = new ConcurrentHashMap<>();
    private final CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
    private final Consumer<View> follower = this::viewChanged;

    Round(SessionContext context, SessionMembers members, long ackWaitNanos, Sender sender) {
        this.context = context;
        this.roster = members.roster();
        this.fence = members.fence();
        this.ackWaitNanos = ackWaitNanos;
        this.sender = sender;
        this.startedAt = context.scheduler().nanoTime();
    }

    /**
     * Runs the round.
     *
     * @param absent targets to fence without asking, because their session has ended
     */
    CompletionStage<@Nullable Void> run(Collection<Member> targets, Set<Long> absent) {
        if (targets.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        for (Member target : targets) {
            pending.put(target.epoch(), target);
        }
        roster.follow(follower);
        result.whenComplete((done, failure) -> roster.unfollow(follower));
        for (Member target : targets) {
            if (absent.contains(target.epoch())) {
                fence(target, Fence.Grace.NONE);
            } else {
                ask(target, context.scheduler().nanoTime(), true);
            }
        }
        // A target may have gone between the caller's view and the registration of the follower.
        viewChanged(roster.view());
        return result;
    }

    /** Ends the round at once: no further member is asked or fenced for it. */
    void end(FsException why) {
        fail(why);
    }

    private void ask(Member target, long since, boolean first) {
        if (!isPending(target)) {
            return;
        }
        long left = ackWaitNanos - (context.scheduler().nanoTime() - since);
        Stages.call(() -> sender.send(target, left)).whenComplete((ack, failure) -> {
            if (failure != null) {
                failed(target, since, first, FsException.of(failure).code());
            } else {
                acknowledged(target, ack);
            }
        });
    }

    private void acknowledged(Member target, Acknowledgement ack) {
        if (ack.epoch() != target.epoch()) {
            // The instance is no longer under that epoch, so it answers nothing cached under it; but the epoch's row
            // and transactions may still be alive.
            fence(target, Fence.Grace.NONE);
        } else if (ack.drained()) {
            settled(target);
        } else if (elapsed(startedAt) >= context.times().transaction().toNanos()) {
            fail(new FsException(
                    ErrorCode.SUBTREE_BUSY,
                    "operations under way below the path do not end on instance " + target.instance()
                            + "; try again later"));
        } else {
            again(target);
        }
    }

    private void failed(Member target, long since, boolean first, ErrorCode code) {
        if (code == ErrorCode.BAD_FRAME) {
            fail(new FsException(code, "the invalidation is too large to be sent: change fewer paths at once"));
        } else if (code == ErrorCode.OVERLOADED || elapsed(since) > ackWaitNanos + ackWaitNanos / 4) {
            // Nothing was sent, or this process itself was paused: no reason to fence the target.
            againOrGiveUp(target);
        } else if (first && elapsed(since) < ackWaitNanos / 2) {
            context.scheduler().schedule(PAUSE_NANOS, () -> ask(target, since, false));
        } else {
            fence(target, Fence.Grace.LEASE);
        }
    }

    private void againOrGiveUp(Member target) {
        if (elapsed(startedAt) >= context.times().transaction().toNanos()) {
            fail(FsException.unavailable(
                    "instance " + target.instance() + " could not be asked in time; try again later"));
        } else {
            again(target);
        }
    }

    private void again(Member target) {
        context.scheduler()
                .schedule(PAUSE_NANOS, () -> ask(target, context.scheduler().nanoTime(), true));
    }

    private void fence(Member target, Fence.Grace grace) {
        if (!isPending(target)) {
            return;
        }
        fence.member(target, grace).whenComplete((done, failure) -> {
            if (failure == null) {
                settled(target);
            } else if (isPending(target)) {
                fail(FsException.of(failure));
            }
        });
    }

    /** Settles targets that have left the membership, because they are dead in the store. */
    private void viewChanged(View view) {
        for (Member target : pending.values()) {
            if (!view.members().containsKey(target.epoch())) {
                settled(target);
            }
        }
    }

    private boolean isPending(Member target) {
        return pending.containsKey(target.epoch()) && !result.isDone();
    }

    private void settled(Member target) {
        if (pending.remove(target.epoch()) != null && pending.isEmpty()) {
            result.complete(null);
        }
    }

    private void fail(FsException failure) {
        result.completeExceptionally(failure);
    }

    private long elapsed(long since) {
        return context.scheduler().nanoTime() - since;
    }
}
