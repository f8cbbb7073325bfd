package io.lambdafs.hammer.measure;

import io.lambdafs.hammer.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Operation;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of operations in flight; the first failure ends it. Used by one thread; completions come from
 * others.
 */
public final class Pipeline {
    private static final int WINDOW = 256;

    private final Target target;
    private final Semaphore room = new Semaphore(WINDOW);
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<@Nullable FsException> failure = new AtomicReference<>();

    public Pipeline(Target target) {
        this.target = target;
    }

    /** Starts an operation, after waiting for room. */
    public void start(Operation<?> operation) throws InterruptedException {
        check();
        room.acquire();
        target.execute(operation).whenComplete((reply, thrown) -> {
            if (thrown != null) {
                failure.compareAndSet(null, FsException.of(thrown));
            }
            done.incrementAndGet();
            room.release();
        });
    }

    public long done() {
        return done.get();
    }

    /** Waits for all operations. */
    public void finish() throws InterruptedException {
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
