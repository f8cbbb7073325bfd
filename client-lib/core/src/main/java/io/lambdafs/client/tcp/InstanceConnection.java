package io.lambdafs.client.tcp;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection that an instance opened to this process, with its bound identities: each client of the process
 * authenticates once per connection and then uses a handle. Thread-safe.
 */
public final class InstanceConnection {
    /** Consecutive timeouts, without any reply in between, after which the connection counts as dead. */
    static final int MAX_STRIKES = 3;
    /** Stands for no handle; handles start at 1. */
    public static final int NONE = 0;
    /** Added to a connection's load for each request refused as excess. */
    private static final int PENALTY = 4;

    private static final int MAX_PENALTY = 64;
    /** Time after which the penalty decreases by one, so that an instance under little load is tried again. */
    private static final long RELIEF_NANOS = 10_000_000;
    /** Maximum identities bound on one connection, as allowed by the other end. */
    private static final int MAX_IDENTITIES = 1_024;

    private final Connection connection;
    private final Register registered;
    private final ConcurrentMap<Credentials, CompletableFuture<Integer>> handles = new ConcurrentHashMap<>();
    private final AtomicInteger strikes = new AtomicInteger();
    private final Scheduler clock;
    private volatile int penalty;
    private volatile long penalizedAt;

    public InstanceConnection(Connection connection, Register registered, Scheduler clock) {
        this.connection = connection;
        this.registered = registered;
        this.clock = clock;
    }

    public Connection connection() {
        return connection;
    }

    public long id() {
        return connection.id();
    }

    public int deployment() {
        return registered.deployment();
    }

    public String instance() {
        return registered.instance();
    }

    public long epoch() {
        return registered.epoch();
    }

    /**
     * Returns the load: requests in flight plus a penalty for recent refusals, without which an instance that refuses
     * quickly would look idle and attract load.
     */
    public int load() {
        return connection.inFlight() + penalty();
    }

    private int penalty() {
        int now = penalty;
        return now == 0 ? 0 : (int) Math.max(0, now - (clock.nanoTime() - penalizedAt) / RELIEF_NANOS);
    }

    /** Notes that the instance served a request. An estimate: concurrent updates may be lost. */
    public void served() {
        int now = penalty;
        if (now > 0) {
            penalty = now - 1;
        }
    }

    /** Notes that the instance or the connection refused a request as excess. */
    public void refusedOneTooMany() {
        penalty = Math.min(penalty() + PENALTY, MAX_PENALTY);
        penalizedAt = clock.nanoTime();
    }

    /** Returns a client's handle; {@link #NONE} if it must {@link #bind} first. */
    public int handle(Credentials who) {
        CompletableFuture<Integer> known = handles.get(who);
        return known == null || known.isCompletedExceptionally() ? NONE : known.getNow(NONE);
    }

    /** Authenticates a client; fails with a typed error, having sent no operation. */
    public CompletionStage<Integer> bind(Credentials who, long timeoutNanos) {
        CompletableFuture<Integer> known = handles.get(who);
        if (known != null) {
            return known;
        }
        if (handles.size() >= MAX_IDENTITIES) {
            return CompletableFuture.failedFuture(
                    new FsException(ErrorCode.OVERLOADED, MAX_IDENTITIES + " identities are bound on one connection"));
        }
        CompletableFuture<Integer> mine = new CompletableFuture<>();
        CompletableFuture<Integer> earlier = handles.putIfAbsent(who, mine);
        if (earlier != null) {
            return earlier;
        }
        connection.request(new Bind(who.token()), timeoutNanos).whenComplete((reply, thrown) -> {
            if (reply instanceof Bound bound) {
                mine.complete(bound.principal());
            } else {
                handles.remove(who, mine);
                mine.completeExceptionally(notBound(reply, thrown));
            }
        });
        return mine;
    }

    /** Returns a failure to bind; the operation was not sent, so its outcome is not in doubt. */
    private static FsException notBound(Message reply, Throwable thrown) {
        FsException why;
        if (thrown != null) {
            why = FsException.of(thrown);
        } else if (reply instanceof Failed failed) {
            why = failed.toException();
        } else {
            why = new FsException(ErrorCode.INTERNAL, "an instance answered a token with " + reply);
        }
        return why.code().disposition() == Disposition.OUTCOME_UNKNOWN
                ? new FsException(ErrorCode.NOT_READY, "cannot authenticate to an instance: " + why.getMessage(), why)
                : why;
    }

    /** Forgets a handle unknown to the instance, so that the next request binds again. */
    public void unbind(Credentials who) {
        handles.remove(who);
    }

    /** Notes a reply of the instance. */
    public void alive() {
        if (strikes.get() != 0) {
            strikes.set(0);
        }
    }

    /** Notes a timed-out request; returns true if the connection should be given up because its instance hangs. */
    public boolean strike() {
        return strikes.incrementAndGet() >= MAX_STRIKES;
    }

    @Override
    public String toString() {
        return "instance " + instance() + " of deployment " + deployment() + ", epoch " + epoch();
    }
}
