package io.lambdafs.functions.namenode;

import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A transaction whose messages to the store are counted. Not thread-safe. */
final class CountingTransaction implements StoreTransaction {
    private final StoreTransaction inner;
    private final Runnable message;
    /** True if its end is a message. */
    private boolean isOpen;

    CountingTransaction(StoreTransaction inner, Runnable message) {
        this.inner = inner;
        this.message = message;
    }

    private void count(boolean staysOpen) {
        message.run();
        isOpen = staysOpen;
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
        count(true);
        return inner.read(reads, lockWaitNanos);
    }

    @Override
    public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
        count(false);
        return inner.readAndEnd(reads, lockWaitNanos);
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        count(true);
        return inner.scan(scan);
    }

    @Override
    public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
        count(false);
        return inner.commit(mutations, deadlineMillis);
    }

    @Override
    public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
        count(false);
        return inner.commitIf(guarded);
    }

    @Override
    public void abort() {
        if (isOpen) {
            count(false);
        }
        inner.abort();
    }
}
