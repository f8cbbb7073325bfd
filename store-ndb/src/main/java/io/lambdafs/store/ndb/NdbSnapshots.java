package io.lambdafs.store.ndb;

import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.ndb.row.RowReads;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The open snapshots. None is taken while a group is under way. Thread-safe. */
final class NdbSnapshots {
    private final List<NdbSnapshot> open = new CopyOnWriteArrayList<>();
    /** Held from before a group checks for snapshots until it is committed. */
    private final ReentrantLock group = new ReentrantLock(true);

    void beginGroup() {
        group.lock();
    }

    void endGroup() {
        group.unlock();
    }

    /** Notes the values of the rows that the group under way is about to change. */
    void note(RowReads reads, Set<Key> changing) throws DatabaseLostException {
        if (!open.isEmpty()) {
            Map<Key, Row> rows = reads.rows(changing);
            open.forEach(each -> each.note(changing, rows));
        }
    }

    /** @param quiet whether the outcome of every group is known */
    NdbSnapshot take(ReadPool readers, NdbSnapshot.Pages pages, BooleanSupplier quiet) {
        group.lock();
        try {
            if (!quiet.getAsBoolean()) {
                throw FsException.unavailable("the store has lost NDB in the middle of a commit; try again later");
            }
            NdbSnapshot taken = new NdbSnapshot(readers, pages, open::remove, NdbSnapshot.MOST_BYTES);
            open.add(taken);
            return taken;
        } finally {
            group.unlock();
        }
    }
}
