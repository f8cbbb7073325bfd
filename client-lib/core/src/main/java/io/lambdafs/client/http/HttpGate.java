package io.lambdafs.client.http;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the HTTP calls that this process has under way to one deployment, and keeps a burst from becoming a storm of cold starts
 * (the paper's §3.2). While an instance is connected, up to the limit may go: they are what scales the deployment out. While none
 * is, the window starts at one call, doubles with every answer and halves with every failure, as TCP's slow start does; the other
 * requests wait, and take the TCP connection as soon as an instance registers one. A call that outlasts its attempt, on a slow
 * cold start perhaps, is not cut off, for a new one would start the wait again: it counts to the limit, but no more to the window.
 * Where TCP is switched off, the limit always holds. Waiting requests are bounded and served in order of arrival. Thread-safe: a
 * lock guards the state; futures complete outside it.
 */
public final class HttpGate {
    /** How a request that waited goes on. */
    public enum Pass {
        /** By HTTP: it counts as under way until {@link #left}. */
        HTTP,
        /** An instance has connected, or there are others to take: over TCP. */
        TCP
    }

    /**
     * @param replacementNanos between two requests that {@link #tryReplace} or {@link #mayReplace} lets through
     * @param most HTTP calls under way at once
     * @param maxWaiting requests that wait; more are refused {@code OVERLOADED}
     * @param slowStart whether to open slowly while no instance is connected
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

    private final String function;
    private final Limits limits;
    private final Scheduler scheduler;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private int underWay;
    private int overdue;
    private int window = 1;
    private int connections;
    private long replacementDue;

    public HttpGate(String function, Limits limits, Scheduler scheduler) {
        this.function = function;
        this.limits = limits;
        this.scheduler = scheduler;
        this.replacementDue = scheduler.nanoTime();
    }

    /** As {@link #tryEnter}, for a request that could go over TCP: only if the last one of those was long enough ago. */
    public synchronized boolean tryReplace() {
        return mayReplace() && tryEnter();
    }

    /** Whether a request that could go over TCP, or did, may go by HTTP; the next one may when the time between two has passed. */
    public synchronized boolean mayReplace() {
        long now = scheduler.nanoTime();
        if (now - replacementDue < 0 || !waiting.isEmpty() || isFull()) {
            return false;
        }
        replacementDue = now + limits.replacementNanos();
        return true;
    }

    /** Goes by HTTP at once, or not; what went is counted until {@link #left}. */
    public synchronized boolean tryEnter() {
        if (!waiting.isEmpty() || isFull()) {
            return false;
        }
        underWay++;
        return true;
    }

    /**
     * Waits for a place or for a connection.
     *
     * @return fails with {@code OVERLOADED} or {@code NOT_READY}; nothing was sent then
     */
    public CompletionStage<Pass> enter(long timeoutNanos) {
        Waiter waiter = new Waiter();
        synchronized (this) {
            if (waiting.isEmpty() && !isFull()) {
                underWay++;
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

    /** An HTTP call takes longer than an attempt: it goes on, and one more may try. */
    public void overdue() {
        List<Waiter> next;
        synchronized (this) {
            underWay--;
            overdue++;
            window = Math.max(window / 2, 1);
            next = admit();
        }
        next.forEach(waiter -> waiter.pass(Pass.HTTP));
    }

    /**
     * An HTTP call has ended.
     *
     * @param answered whether by an answer of the function
     * @param wasOverdue whether {@link #overdue} was said of it
     */
    public void left(boolean answered, boolean wasOverdue) {
        List<Waiter> next;
        synchronized (this) {
            if (wasOverdue) {
                overdue--;
            } else {
                underWay--;
            }
            window = answered ? Math.min(window * 2, limits.most()) : Math.max(window / 2, 1);
            next = admit();
        }
        next.forEach(waiter -> waiter.pass(Pass.HTTP));
    }

    /** An instance has connected. */
    public void connected() {
        synchronized (this) {
            connections++;
        }
        release();
    }

    /** Whether an instance is connected. */
    public synchronized boolean isConnected() {
        return connections > 0;
    }

    /** Lets all that wait look for a connection again. */
    public void release() {
        List<Waiter> all;
        synchronized (this) {
            all = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(waiter -> waiter.pass(Pass.TCP));
    }

    /** A connection of an instance is gone. */
    public synchronized void disconnected() {
        connections--;
        if (connections == 0) {
            window = 1;
        }
    }

    private List<Waiter> admit() {
        List<Waiter> admitted = new ArrayList<>();
        while (!waiting.isEmpty() && !isFull()) {
            underWay++;
            admitted.add(waiting.remove());
        }
        return admitted;
    }

    private boolean isFull() {
        int limit = limits.slowStart() && connections == 0 ? window : limits.most();
        return underWay >= limit || underWay + overdue >= limits.most();
    }
}
