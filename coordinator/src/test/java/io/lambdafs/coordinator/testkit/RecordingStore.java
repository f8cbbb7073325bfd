package io.lambdafs.coordinator.testkit;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import java.util.concurrent.CompletionStage;

/** Notes in a journal which epochs a store kills, and when. */
public final class RecordingStore implements MetadataStore {
    private final MetadataStore inner;
    private final Scheduler clock;
    private final Journal journal;

    public RecordingStore(MetadataStore inner, Scheduler clock, Journal journal) {
        this.inner = inner;
        this.clock = clock;
        this.journal = journal;
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return inner.begin(epoch);
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        long sentAt = clock.nanoTime();
        journal.note("kill", epoch, sentAt, sentAt);
        return inner.fence(epoch).whenComplete((done, failure) -> {
            if (failure == null) {
                journal.note("kill done", epoch, sentAt, clock.nanoTime());
            }
        });
    }

    @Override
    public void close() {
        inner.close();
    }
}
