package io.lambdafs.store.database;

import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Cleans up after a database came back older: all epochs end, sequences skip numbers already issued, and readers of the
 * change log learn that they must start over (PROTOCOL: D6). Stateless.
 */
public final class OlderRows {
    private OlderRows() {}

    /**
     * Returns the mutations to make in the transaction that takes the database.
     *
     * @param epochs keys of all rows that last as long as an epoch
     * @param sequences all rows of the table of sequences
     */
    public static List<Mutation> ended(Collection<Key> epochs, Collection<Row> sequences) {
        List<Mutation> changes = new ArrayList<>();
        epochs.forEach(each -> changes.add(new Mutation.Delete(each)));
        for (Row each : sequences) {
            long further = each.int64(0) + Database.SKIPPED;
            if (!each.key().equals(ChangeLog.TRIMMED)) {
                changes.add(new Mutation.Put(new Row(each.key(), further)));
            }
            if (each.key().equals(ChangeLog.NEXT)) {
                changes.add(new Mutation.Put(new Row(ChangeLog.TRIMMED, further - 1)));
            }
        }
        return changes;
    }
}
