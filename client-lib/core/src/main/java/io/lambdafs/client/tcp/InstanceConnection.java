package io.lambdafs.client.tcp;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Bind;
import io.lambdafs.rpc.Bound;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.Register;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection that an instance opened to this process, with the identities that are bound on it: each client of the process
 * proves itself once per connection and then goes by a handle. Thread-safe.
 */
public final class InstanceConnection {
    /** Requests in a row that timed out, without any answer between, after which the connection is taken for dead. */
    static final int MAX_STRIKES = 3;
    /** In place of a handle, which counts from 1. */
    public static final int NONE = 0;
    /** Added to a connection's load by each request that its instance refused as one too many. */
    private static final int PENALTY = 4;

    private static final int MAX_PENALTY = 64;
    /** Time that takes one off the penalty: where there is little to do, the instance is asked again, and can show that it serves. */
    private static final long RELIEF_NANOS = 10_000_000;
    /** Identities bound on one connection, as the other end allows. */
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
     * How busy it is: requests in flight, and a penalty for recent refusals, without which an instance that refuses fast would look
     * idle and draw the load.
     */
    public int load() {
        return connection.inFlight() + penalty();
    }

    private int penalty() {
        int now = penalty;
        return now == 0 ? 0 : (int) Math.max(0, now - (clock.nanoTime() - penalizedAt) / RELIEF_NANOS);
    }

    /** The instance served a request. Updates may be lost to each other: it is an estimate. */
    public void served() {
        int now = penalty;
        if (now > 0) {
            penalty = now - 1;
        }
    }

    /** The instance or the connection refused a request as one too many. */
    public void refusedOneTooMany() {
        penalty = Math.min(penalty() + PENALTY, MAX_PENALTY);
        penalizedAt = clock.nanoTime();
    }

    /** The handle under which a client goes here; {@link #NONE} if it must {@link #bind} first. */
    public int handle(Credentials who) {
        CompletableFuture<Integer> known = handles.get(who);
        return known == null || known.isCompletedExceptionally() ? NONE : known.getNow(NONE);
    }

    /** Proves who a client is; fails with a typed error, having sent no operation. */
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

    /** The operation was not sent, so no failure here leaves its outcome open. */
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
                ? new FsException(ErrorCode.NOT_READY, "cannot prove who asks to an instance: " + why.getMessage(), why)
                : why;
    }

    /** Forgets a handle that the instance no longer knows, so that the next request binds again. */
    public void unbind(Credentials who) {
        handles.remove(who);
    }

    /** The instance answered something. */
    public void alive() {
        if (strikes.get() != 0) {
            strikes.set(0);
        }
    }

    /** A request ran into its time-out; true if the connection should be given up: its instance hangs. */
    public boolean strike() {
        return strikes.incrementAndGet() >= MAX_STRIKES;
    }

    @Override
    public String toString() {
        return "instance " + instance() + " of deployment " + deployment() + ", epoch " + epoch();
    }
}
