package io.lambdafs.store.memory;

import io.lambdafs.model.Scheduler;
import io.lambdafs.store.EngineStore;
import io.lambdafs.store.LockingStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.StoreLimits;
import java.util.List;

/**
 * A store in memory, gone with its process. Thread-safe. A call that need not wait for a lock is answered before it returns; one
 * that must, on the scheduler's executor.
 */
public final class MemoryStore extends EngineStore {
    private final MemoryRows rows;

    /** A store with {@link StoreLimits#defaults()}. */
    public MemoryStore(Scheduler scheduler) {
        this(scheduler, StoreLimits.defaults());
    }

    public MemoryStore(Scheduler scheduler, StoreLimits limits) {
        this(scheduler, limits, new MemoryRows(scheduler));
    }

    private MemoryStore(Scheduler scheduler, StoreLimits limits, MemoryRows rows) {
        super(new LockingStore(scheduler, limits, rows));
        this.rows = rows;
    }

    /** Everything that is committed, of one moment, in the order of the keys. */
    public List<Row> rows() {
        return rows.all();
    }
}
