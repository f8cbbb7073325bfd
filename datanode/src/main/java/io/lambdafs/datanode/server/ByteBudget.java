package io.lambdafs.datanode.server;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of memory that may be in use at once. Thread-safe. */
final class ByteBudget {
    private final AtomicLong free;

    ByteBudget(long bytes) {
        free = new AtomicLong(bytes);
    }

    /** Takes all of it, or nothing and answers false. */
    boolean take(long bytes) {
        long left = free.addAndGet(-bytes);
        if (left < 0) {
            free.addAndGet(bytes);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        free.addAndGet(bytes);
    }

    long free() {
        return free.get();
    }
}
