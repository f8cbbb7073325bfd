package io.lambdafs.store.engine;

import java.time.Duration;

/**
 * Limits of an engine with its own locks. Immutable. The times nest: a lock wait ends before its transaction does.
 *
 * @param lockWait maximum wait for a lock unless the caller gives one
 * @param transactionLimit time from a transaction's first call to its commit, after which it is aborted
 * @param maxTransactions maximum open at once; a further one fails with {@code UNAVAILABLE}
 * @param maxWaitersPerKey transactions that may wait for one lock; a further one fails with {@code STORE_CONFLICT}
 */
public record StoreLimits(Duration lockWait, Duration transactionLimit, int maxTransactions, int maxWaitersPerKey) {
    public StoreLimits {
        if (lockWait.isNegative() || lockWait.isZero() || lockWait.compareTo(transactionLimit) >= 0) {
            throw new IllegalArgumentException("the lock wait (" + lockWait
                    + ") must be positive and shorter than the transaction limit (" + transactionLimit + ")");
        }
        if (maxTransactions < 1 || maxWaitersPerKey < 1) {
            throw new IllegalArgumentException("maxTransactions and maxWaitersPerKey must be positive");
        }
    }

    /** 3 s lock wait, 5 s transaction limit, 20,000 transactions, 10,000 waiters per key. */
    public static StoreLimits defaults() {
        return new StoreLimits(Duration.ofSeconds(3), Duration.ofSeconds(5), 20_000, 10_000);
    }

    public StoreLimits withLockWait(Duration wait) {
        return new StoreLimits(wait, transactionLimit, maxTransactions, maxWaitersPerKey);
    }

    public StoreLimits withTransactionLimit(Duration limit) {
        return new StoreLimits(lockWait, limit, maxTransactions, maxWaitersPerKey);
    }

    public StoreLimits withMaxTransactions(int transactions) {
        return new StoreLimits(lockWait, transactionLimit, transactions, maxWaitersPerKey);
    }

    public StoreLimits withMaxWaitersPerKey(int waiters) {
        return new StoreLimits(lockWait, transactionLimit, maxTransactions, waiters);
    }
}
