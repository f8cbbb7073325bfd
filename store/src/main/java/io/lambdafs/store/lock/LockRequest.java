package io.lambdafs.store.lock;

import io.lambdafs.store.Read;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The locks requested by one call, taken sequentially. Guarded by the mutex of its {@link LockTable}. */
final class LockRequest {
    final LockTable.Owner owner;
    final List<Read> locks;
    final long waitNanos;
    final CompletableFuture<Void> result = new CompletableFuture<>();
    /** Index of the next lock to be taken. */
    int next;

    LockRequest(LockTable.Owner owner, List<Read> locks, long waitNanos) {
        this.owner = owner;
        this.locks = locks;
        this.waitNanos = waitNanos;
    }
}
