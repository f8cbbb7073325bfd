package io.lambdafs.functions.namenode;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.function.Supplier;

/**
 * An empty store in simulated time.
 *
 * @param rows all that is committed
 */
public record EngineUnderTest(MetadataStore store, Supplier<List<Row>> rows) {
    static EngineUnderTest inMemory(Scheduler scheduler) {
        MemoryStore store = new MemoryStore(scheduler);
        return new EngineUnderTest(store, store::rows);
    }
}
