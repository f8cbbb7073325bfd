package io.lambdafs.client.http;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits this process's concurrent HTTP calls to one deployment, and keeps a burst from becoming a storm of cold starts
 * (the paper's §3.2). While an instance is connected, calls up to the limit may go, because they scale the deployment
 * out. While none is, the window starts at one call, doubles with every answer and halves with every failure, like
 * TCP's slow start; other requests wait and use a TCP connection as soon as an instance registers one. A call that
 * outlasts its attempt, perhaps on a slow cold start, is not cut off, because a new one would start the wait again: it
 * counts towards the limit but no longer towards the window. While no instance has ever answered or connected it keeps
 * its place in the window for some time longer: a platform starts another container for each call that finds none
 * ready, and removes those of other functions for it. With TCP disabled, the limit always applies. Waiting
 * requests are bounded and served in order of arrival. Thread-safe: a lock guards the state; futures complete outside
 * it.
 */
public final class HttpGate {
    /** The way a waiting request proceeds. */
    public enum Pass {
        /** By HTTP, counted until {@link #left}. */
        HTTP,
        /** Over TCP: an instance has connected, or other connections are available. */
        TCP
    }

    /**
     * @param replacementNanos minimum time between two requests admitted by {@link #tryReplace} or {@link #mayReplace}
     * @param most maximum concurrent HTTP calls
     * @param maxWaiting maximum waiting requests; more fail with {@code OVERLOADED}
     * @param slowStart whether to use slow start while no instance is connected
     */
    public record Limits(long replacementNanos, int most, int maxWaiting, boolean slowStart) {}

    private static final class Waiter extends CompletableFuture<Pass> {
        private Scheduler.@Nullable Timer timer;

        void pass(Pass pass) {
            Scheduler.Timer pending = timer;
            if (pending != null) {
                pending.cancel();
            }
            complete(pass);
        }
    }

    /** How long a call that outlasts its attempt is the only one to a deployment that has never answered. */
    static final long COLD_START_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Time without a call after which a platform may take an instance that serves by TCP for idle, and freeze it. */
    public static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(4);

    private final String function;
    private final Limits limits;
    private final Scheduler scheduler;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private int underWay;
    private int overdue;
    /** Set while a call that is overdue still counts as under way; at most one does. */
    private Scheduler.@Nullable Timer starting;
    /** True if an instance has ever answered or connected. */
    private boolean isKnown;

    private int window = 1;
    private int connections;
    private long replacementDue;
    private volatile long lastCall;

    public HttpGate(String function, Limits limits, Scheduler scheduler) {
        this.function = function;
        this.limits = limits;
        this.scheduler = scheduler;
        this.replacementDue = scheduler.nanoTime();
        this.lastCall = replacementDue;
    }

    /** Returns whether the platform has had no call of the deployment from this process for so long that it may freeze it. */
    public boolean seemsIdle() {
        return scheduler.nanoTime() - lastCall > IDLE_NANOS;
    }

    private void goes() {
        underWay++;
        lastCall = scheduler.nanoTime();
    }

    /**
     * Enters like {@link #tryEnter}, for a request that could go over TCP: only if the last such request was long
     * enough ago.
     */
    public synchronized boolean tryReplace() {
        return mayReplace() && tryEnter();
    }

    /** Returns whether a request that could go over TCP, or did, may go by HTTP; at most one per interval. */
    public synchronized boolean mayReplace() {
        long now = scheduler.nanoTime();
        if (now - replacementDue < 0 || !waiting.isEmpty() || isFull()) {
            return false;
        }
        replacementDue = now + limits.replacementNanos();
        return true;
    }

    /** Enters at once if possible; counted until {@link #left}. */
    public synchronized boolean tryEnter() {
        if (!waiting.isEmpty() || isFull()) {
            return false;
        }
        goes();
        return true;
    }

    /**
     * Waits to enter or for a connection.
     *
     * @return fails with {@code OVERLOADED} or {@code NOT_READY}; nothing was sent then
     */
    public CompletionStage<Pass> enter(long timeoutNanos) {
        Waiter waiter = new Waiter();
        synchronized (this) {
            if (waiting.isEmpty() && !isFull()) {
                goes();
                return CompletableFuture.completedFuture(Pass.HTTP);
            }
            if (waiting.size() >= limits.maxWaiting()) {
                return CompletableFuture.failedFuture(new FsException(
                        ErrorCode.OVERLOADED,
                        limits.maxWaiting() + " requests wait for an instance of " + function + " already"));
            }
            waiter.timer = scheduler.schedule(timeoutNanos, () -> expire(waiter, timeoutNanos));
            waiting.add(waiter);
        }
        return waiter;
    }

    private void expire(Waiter waiter, long timeoutNanos) {
        synchronized (this) {
            if (!waiting.remove(waiter)) {
                return;
            }
        }
        waiter.completeExceptionally(new FsException(
                ErrorCode.NOT_READY,
                "no instance of " + function + " was ready within " + timeoutNanos / 1_000_000
                        + " ms: look at the platform's activations and the instance's log"));
    }

    /** Notes that an HTTP call exceeds its attempt: it continues, and one more may enter, at once or later. */
    public void overdue() {
        List<Waiter> next;
        synchronized (this) {
            window = Math.max(window / 2, 1);
            if (limits.slowStart() && !isKnown && starting == null) {
                try {
                    starting = scheduler.schedule(COLD_START_NANOS, this::startedLong);
                    return;
                } catch (FsException full) {
                    // This process has no timers left: the next call may go at once.
                }
            }
            next = leaveWindow();
        }
        next.forEach(waiter -> waiter.pass(Pass.HTTP));
    }

    private void startedLong() {
        List<Waiter> next;
        synchronized (this) {
            if (starting == null) {
                return;
            }
            starting = null;
            next = leaveWindow();
        }
        next.forEach(waiter -> waiter.pass(Pass.HTTP));
    }

    private List<Waiter> leaveWindow() {
        underWay--;
        overdue++;
        return admit();
    }

    /**
     * Leaves after an HTTP call.
     *
     * @param answered whether the function answered
     * @param wasOverdue whether {@link #overdue} was called for it
     */
    public void left(boolean answered, boolean wasOverdue) {
        List<Waiter> next;
        synchronized (this) {
            isKnown |= answered;
            Scheduler.Timer pending = wasOverdue ? starting : null;
            if (pending != null) {
                pending.cancel();
                starting = null;
            }
            if (wasOverdue && pending == null) {
                overdue--;
            } else {
                underWay--;
            }
            window = answered ? Math.min(window * 2, limits.most()) : Math.max(window / 2, 1);
            next = admit();
        }
        next.forEach(waiter -> waiter.pass(Pass.HTTP));
    }

    /** Notes that an instance has connected. */
    public void connected() {
        synchronized (this) {
            connections++;
            isKnown = true;
        }
        release();
    }

    /** Returns whether an instance is connected. */
    public synchronized boolean isConnected() {
        return connections > 0;
    }

    /** Lets all waiting requests look for a connection again. */
    public void release() {
        List<Waiter> all;
        synchronized (this) {
            all = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(waiter -> waiter.pass(Pass.TCP));
    }

    /** Notes that an instance has disconnected. */
    public synchronized void disconnected() {
        connections--;
        if (connections == 0) {
            window = 1;
        }
    }

    private List<Waiter> admit() {
        List<Waiter> admitted = new ArrayList<>();
        while (!waiting.isEmpty() && !isFull()) {
            goes();
            admitted.add(waiting.remove());
        }
        return admitted;
    }

    private boolean isFull() {
        int limit = limits.slowStart() && connections == 0 ? window : limits.most();
        return underWay >= limit || underWay + overdue >= limits.most();
    }
}
