package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseLostException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends what was begun before NDB came back without its last commits, in the transaction that takes the database: no epoch lives on, numbers
 * that were given out are not given out again, and readers of the change log learn that they have to begin anew. Confined to one thread.
 * PROTOCOL: D6.
 */
final class OlderState {
    private final RowReads reads;
    private final RowScan scan;
    private final RowWrites writes;

    OlderState(NdbSession session, NdbTransaction transaction) {
        this.reads = new RowReads(session, transaction);
        this.scan = new RowScan(session, transaction);
        this.writes = new RowWrites(session, transaction);
    }

    void end() throws DatabaseLostException {
        for (Key instance : scan.keys(Schema.INSTANCES)) {
            writes.delete(instance, 1);
        }
        endEpochs();
        Map<Key, Row> sequences = reads.rows(scan.keys(Schema.SEQUENCES));
        for (Row each : sequences.values()) {
            if (!each.key().equals(ChangeLog.TRIMMED)) {
                writes.put(new Row(each.key(), each.int64(0) + Database.SKIPPED), 1);
            }
        }
        Row next = sequences.get(ChangeLog.NEXT);
        if (next != null) {
            writes.put(new Row(ChangeLog.TRIMMED, next.int64(0) + Database.SKIPPED - 1), 1);
        }
        writes.flush();
    }

    private void endEpochs() throws DatabaseLostException {
        @Nullable Object after = null;
        List<Row> page;
        do {
            page = scan.page(new Scan(Schema.EPOCHS, 0L, after, Scan.MAX_LIMIT));
            for (Row each : page) {
                writes.delete(each.key(), 1);
                after = each.key().int64(1);
            }
        } while (page.size() == Scan.MAX_LIMIT);
    }
}
