package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.database.OlderRows;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.RowReads;
import io.lambdafs.store.ndb.row.RowScan;
import io.lambdafs.store.ndb.row.RowWrites;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends all that began before NDB came back without its last commits, in the transaction that takes the database: no
 * epoch survives, issued numbers are not issued again, and readers of the change log learn that they must start over.
 * Confined to one thread. PROTOCOL: D6.
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
        List<Key> epochs = new ArrayList<>(scan.keys(Schema.INSTANCES));
        addEpochs(epochs);
        Collection<Row> sequences = reads.rows(scan.keys(Schema.SEQUENCES)).values();
        for (Mutation each : OlderRows.ended(epochs, sequences)) {
            if (each instanceof Mutation.Put put) {
                writes.put(put.row(), 1);
            } else {
                writes.delete(each.key(), 1);
            }
        }
        writes.flush();
    }

    private void addEpochs(List<Key> epochs) throws DatabaseLostException {
        @Nullable Object after = null;
        List<Row> page;
        do {
            page = scan.page(new Scan(Schema.EPOCHS, 0L, after, Scan.MAX_LIMIT));
            for (Row each : page) {
                epochs.add(each.key());
                after = each.key().int64(1);
            }
        } while (page.size() == Scan.MAX_LIMIT);
    }
}
