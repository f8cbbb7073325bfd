package io.lambdafs.store.memory;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Row;
import io.lambdafs.store.engine.EngineStore;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.StoreLimits;
import java.util.List;

/**
 * An in-memory store, lost with its process. Thread-safe. A call that need not wait for a lock completes before it
 * returns; others complete on the scheduler's executor.
 */
public final class MemoryStore extends EngineStore {
    private final MemoryRows rows;

    /** Creates a store with {@link StoreLimits#defaults()}. */
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

    /** Returns all committed rows at one moment, in key order. */
    public List<Row> rows() {
        return rows.all();
    }
}
