package io.lambdafs.platform.local.pool;

import io.lambdafs.model.time.Scheduler;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An accepted invocation that has not ended. Fields are guarded by the pool's lock, except the volatile ones. */
final class Call {
    static final long NO_INIT = -1;

    final String id;
    final byte[] payload;
    final @Nullable InetAddress client;
    final long arrivedNanos;
    final CompletableFuture<Activation> done = new CompletableFuture<>();

    RegisteredAction action;
    StartKind startKind = StartKind.WARM;
    long startedNanos;
    long initMillis = NO_INIT;

    /** Set when the call is sent, outside the lock. */
    volatile long logFrom;

    volatile Scheduler.@Nullable Timer limit;

    Call(String id, RegisteredAction action, byte[] payload, @Nullable InetAddress client, long arrivedNanos) {
        this.id = id;
        this.action = action;
        this.payload = payload;
        this.client = client;
        this.arrivedNanos = arrivedNanos;
        this.startedNanos = arrivedNanos;
    }
}
