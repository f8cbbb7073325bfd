package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.SessionListener;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine of a session:
 *
 * <pre>
 *   OUT --join--> JOINING --all acknowledged, lease stands--> LIVE
 *    ^               | failed                                  | lease lost, fenced, left
 *    +---------------+-----------------------------------------+      (unless left: joins again after a backoff)
 * </pre>
 *
 * Thread-safe: state changes run one at a time on the scheduler. An ended epoch stays on a list until its row is dead
 * and its member removed; a new join begins with that list. At most one join runs at a time.
 */
final class SessionLife {
    private enum State {
        /** No epoch; a join may be due. */
        OUT,
        /** An attempt to join runs. */
        JOINING,
        /** An epoch has joined and is not known to have ended. */
        LIVE,
        /** For good. */
        CLOSED
    }

    private static final Logger log = LoggerFactory.getLogger(EpochSession.class);

    private final InstanceIdentity self;
    private final SessionContext context;
    private final Scheduler scheduler;
    private final Serial serial;
    private final SessionMembers members;
    private final Lease lease;
    private final Generations generations;
    private final Opening opening;
    private final Backoff backoff;
    private final EndedEpochs endedEpochs;

    // Everything below is confined to the serial executor, except the listener, which is set once before anything runs.
    private @Nullable SessionListener listener;
    private State state = State.OUT;
    private boolean wanted;
    private long liveEpoch;
    private long liveSince;
    private @Nullable Renewals renewals;
    private @Nullable Joining attempt;
    private @Nullable CompletableFuture<Long> joining;
    private @Nullable CompletableFuture<@Nullable Void> leaving;
    private Scheduler.@Nullable Timer retry;
    /** Why no epoch is live; read from any thread. */
    private volatile String hindrance = "the first join has not ended";

    SessionLife(InstanceIdentity self, SessionContext context, SessionMembers members) {
        this.self = self;
        this.context = context;
        this.scheduler = context.scheduler();
        this.serial = new Serial(scheduler);
        this.members = members;
        this.lease = members.lease();
        this.generations = new Generations(context, members, this::lost);
        this.opening = new Opening(context, members, generations, serial);
        this.backoff = new Backoff(scheduler);
        this.endedEpochs = new EndedEpochs(context, members.roster(), serial);
    }

    void attach(SessionListener instance) {
        if (listener != null) {
            throw new IllegalStateException("a listener is attached already");
        }
        listener = instance;
    }

    /** Called when this instance has fenced another. */
    void fenced(Member member) {
        listener().fenced(member);
    }

    private SessionListener listener() {
        if (listener == null) {
            throw new IllegalStateException("attach a listener before the first join");
        }
        return listener;
    }

    /** Returns why this instance is not live, if so. */
    String hindrance() {
        return hindrance;
    }

    /** Returns the tracker of deployment generations. */
    Generations generations() {
        return generations;
    }

    // OUT

    CompletionStage<Long> join() {
        listener();
        CompletableFuture<Long> result = new CompletableFuture<>();
        serial.execute(() -> {
            if (state == State.CLOSED) {
                result.completeExceptionally(closed());
            } else if (state == State.LIVE) {
                result.complete(liveEpoch);
            } else {
                wanted = true;
                if (joining == null) {
                    joining = new CompletableFuture<>();
                }
                Stages.copy(joining, result);
                if (retry == null) {
                    attemptIfDue();
                }
            }
        });
        return result;
    }

    private void attemptIfDue() {
        retry = null;
        if (!wanted || state != State.OUT || leaving != null) {
            return;
        }
        state = State.JOINING;
        long ackWaitNanos = backoff.ackWaitNanos(context.times().ackWait());
        Joining mine = new Joining(
                self, listener().caches(), context, members, generations, opening::knows, ackWaitNanos, serial);
        attempt = mine;
        Stages.call(() -> opening.open(listener()))
                .thenComposeAsync(
                        reachable ->
                                endedEpochs.retire().thenComposeAsync(done -> mine.run(reachable, this::lost), serial),
                        serial)
                .whenCompleteAsync((sentAt, failure) -> attempted(mine, sentAt, failure), serial);
    }

    private void retryLater() {
        Scheduler.Essential attempt = () -> serial.execute(this::attemptIfDue);
        retry = scheduler.schedule(backoff.nextNanos(), attempt);
    }

    private void cancelRetry() {
        Scheduler.Timer due = retry;
        if (due != null) {
            due.cancel();
            retry = null;
        }
    }

    // JOINING

    private void attempted(Joining mine, @Nullable Long sentAt, @Nullable Throwable failure) {
        attempt = null;
        if (state != State.JOINING) {
            // Closed meanwhile.
            giveUp(mine);
        } else if (sentAt != null && wanted && lease.confirm(mine.epoch(), sentAt)) {
            live(mine);
        } else {
            state = State.OUT;
            giveUp(mine);
            failed(
                    failure == null
                            ? new FsException(
                                    ErrorCode.FENCED,
                                    "the join ended before its lease began; the instance joins again by itself")
                            : FsException.of(failure));
        }
        if (leaving != null) {
            finishLeaving(leaving);
        }
    }

    private void giveUp(Joining mine) {
        Renewals begun = mine.renewals();
        if (begun != null) {
            begun.stop();
        }
        lease.end(mine.epoch());
        if (mine.epoch() != 0) {
            endedEpochs.add(mine.epoch());
        }
    }

    private void failed(FsException why) {
        hindrance = String.valueOf(why.getMessage());
        CompletableFuture<Long> waiting = joining;
        joining = null;
        if (waiting != null) {
            waiting.completeExceptionally(why);
        }
        if (wanted) {
            log.warn("Instance {} could not join: {}", self.instance(), why.getMessage());
            retryLater();
        }
    }

    // LIVE

    private void live(Joining mine) {
        state = State.LIVE;
        liveEpoch = mine.epoch();
        liveSince = scheduler.nanoTime();
        hindrance = "the lease has run out, and no step of the session has noticed";
        renewals = Objects.requireNonNull(mine.renewals());
        renewals.live();
        log.info("Instance {} of deployment {} joined under epoch {}", self.instance(), self.deployment(), liveEpoch);
        listener().joined(liveEpoch);
        CompletableFuture<Long> waiting = joining;
        joining = null;
        if (waiting != null) {
            waiting.complete(liveEpoch);
        }
        opening.live();
    }

    /** Ends an epoch whose lease is lost, or that the store refused. */
    void lost(long epoch, String reason) {
        if (lease.end(epoch)) {
            serial.execute(() -> {
                if (state == State.LIVE && liveEpoch == epoch) {
                    endLive(reason);
                    retryLater();
                } else if (attempt != null && attempt.epoch() == epoch) {
                    attempt.end(reason);
                }
            });
        }
    }

    /** Ends the epoch that was live: nothing answers under it any more. */
    private void endLive(String reason) {
        Renewals ended = renewals;
        if (ended != null) {
            ended.stop();
        }
        renewals = null;
        state = State.OUT;
        endedEpochs.add(liveEpoch);
        hindrance = reason;
        log.info("Epoch {} of instance {} ended: {}", liveEpoch, self.instance(), reason);
        listener().ended(liveEpoch);
        if (scheduler.nanoTime() - liveSince >= context.times().session().toNanos()) {
            backoff.reset();
        }
    }

    // Leaving, from any state

    CompletionStage<Void> leave() {
        // Not live from this moment, whatever is still queued.
        lease.end(lease.current());
        CompletableFuture<Void> result = new CompletableFuture<>();
        serial.execute(() -> {
            stopWanting("left");
            boolean first = leaving == null;
            CompletableFuture<@Nullable Void> mine = leaving == null ? new CompletableFuture<>() : leaving;
            leaving = mine;
            Stages.copy(mine, result);
            // A running attempt completes the leave when it ends.
            if (attempt == null && first) {
                finishLeaving(mine);
            }
        });
        return result;
    }

    private void stopWanting(String reason) {
        wanted = false;
        cancelRetry();
        if (state == State.LIVE) {
            lease.end(liveEpoch);
            endLive(reason);
        }
        if (attempt != null) {
            attempt.cancel();
        }
    }

    private void finishLeaving(CompletableFuture<@Nullable Void> mine) {
        endedEpochs
                .retire()
                .whenCompleteAsync(
                        (done, failure) -> {
                            leaving = null;
                            if (failure == null) {
                                mine.complete(null);
                            } else {
                                mine.completeExceptionally(FsException.of(failure));
                            }
                            attemptIfDue();
                        },
                        serial);
    }

    // CLOSED

    void close() {
        opening.close();
        lease.end(lease.current());
        serial.execute(() -> {
            stopWanting("closed");
            state = State.CLOSED;
            if (joining != null) {
                joining.completeExceptionally(closed());
            }
        });
    }

    private static FsException closed() {
        return new FsException(ErrorCode.NOT_READY, "the instance has shut down; send the request to another one");
    }
}
