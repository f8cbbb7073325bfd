package io.lambdafs.functions.namenode;

import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A transaction of an instance of the first format level's build: it says nothing of levels when it joins. */
record EarlierBuild(StoreTransaction inner) implements StoreTransaction {
    private static Mutation asBefore(Mutation mutation) {
        return mutation instanceof Mutation.Put put && put.key().table().equals(Schema.INSTANCES)
                ? new Mutation.Put(new Row(
                        put.key(),
                        put.row().int64(0),
                        put.row().string(1),
                        put.row().int64(2)))
                : mutation;
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
        return inner.read(reads, lockWaitNanos);
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        return inner.scan(scan);
    }

    @Override
    public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
        return inner.commit(mutations.stream().map(EarlierBuild::asBefore).toList(), deadlineMillis);
    }

    @Override
    public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
        return inner.commitIf(guarded);
    }

    @Override
    public void abort() {
        inner.abort();
    }
}
