package io.lambdafs.door.hdfs;

import io.lambdafs.door.hdfs.calls.Users;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.Server;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the results of calls that change something for ten minutes: a client that has lost an answer repeats its call
 * under the same ids, and gets the first call's result, even if it is a failure. The user is part of the key. At most
 * {@value #MOST} results; the oldest ended ones go first. Thread-safe.
 */
final class RepeatedCalls {
    private static final int MOST = 100_000;
    private static final long KEPT_NANOS = Duration.ofMinutes(10).toNanos();

    private final LongSupplier nanoTime;
    private final Map<Key, Kept> calls = new LinkedHashMap<>();

    RepeatedCalls() {
        this(System::nanoTime);
    }

    RepeatedCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    record Key(ByteBuffer client, int call, String user) {}

    private record Kept(CompletableFuture<@Nullable Object> result, long since) {}

    /** A call. */
    interface Work {
        @Nullable
        Object run() throws Throwable;
    }

    /** Executes the call being answered, or waits for the result of the same earlier call. */
    @Nullable
    Object once(Work work) throws Throwable {
        byte[] client = Server.getClientId();
        return client.length == 0
                ? work.run()
                : once(new Key(ByteBuffer.wrap(client.clone()), Server.getCallId(), Users.caller()), work);
    }

    @Nullable
    Object once(Key key, Work work) throws Throwable {
        CompletableFuture<@Nullable Object> own = new CompletableFuture<>();
        Kept first;
        synchronized (this) {
            forgetOld();
            first = calls.putIfAbsent(key, new Kept(own, nanoTime.getAsLong()));
        }
        if (first != null) {
            try {
                return first.result().get();
            } catch (ExecutionException e) {
                throw e.getCause();
            }
        }
        try {
            Object result = work.run();
            own.complete(result);
            return result;
        } catch (Throwable e) {
            own.completeExceptionally(e);
            throw e;
        }
    }

    private void forgetOld() {
        long now = nanoTime.getAsLong();
        Iterator<Kept> oldest = calls.values().iterator();
        while (oldest.hasNext()) {
            Kept each = oldest.next();
            boolean old = now - each.since() > KEPT_NANOS || calls.size() >= MOST;
            if (!old || !each.result().isDone()) {
                return;
            }
            oldest.remove();
        }
    }
}
