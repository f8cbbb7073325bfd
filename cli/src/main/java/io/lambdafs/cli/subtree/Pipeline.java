package io.lambdafs.cli.subtree;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Operation;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Operations in flight, bounded; the first failure ends it. Used by one thread; completions come from others. */
final class Pipeline {
    private static final int WINDOW = 256;

    private final LambdaFs client;
    private final Semaphore room = new Semaphore(WINDOW);
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<@Nullable FsException> failure = new AtomicReference<>();

    Pipeline(LambdaFs client) {
        this.client = client;
    }

    /** Starts an operation when there is room. */
    void start(Operation<?> operation) throws InterruptedException {
        check();
        room.acquire();
        client.execute(operation).whenComplete((reply, thrown) -> {
            if (thrown != null) {
                failure.compareAndSet(null, FsException.of(thrown));
            }
            done.incrementAndGet();
            room.release();
        });
    }

    long done() {
        return done.get();
    }

    /** Waits for all. */
    void finish() throws InterruptedException {
        room.acquire(WINDOW);
        room.release(WINDOW);
        check();
    }

    private void check() {
        FsException first = failure.get();
        if (first != null) {
            throw first;
        }
    }
}
