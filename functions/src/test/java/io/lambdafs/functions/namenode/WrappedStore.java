package io.lambdafs.functions.namenode;

import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * A store whose transactions are wrapped as they begin. As thread-safe as what it wraps.
 *
 * @param transaction wraps one
 */
record WrappedStore(MetadataStore inner, UnaryOperator<StoreTransaction> transaction) implements MetadataStore {
    @Override
    public StoreTransaction begin(long epoch) {
        return transaction.apply(inner.begin(epoch));
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        return inner.fence(epoch);
    }

    @Override
    public void close() {
        inner.close();
    }
}
