package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.database.GroupChanges;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.RowReads;
import io.lambdafs.store.ndb.row.RowTable;
import io.lambdafs.store.ndb.row.RowWrites;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A group of commits in a transaction: one message reads the rows that the changes depend on, under the lock of the
 * holder row; another one makes the changes. Confined to one thread.
 */
final class GroupWrite {
    private final NdbLease lease;
    private final NdbSession session;
    private final NdbTransaction transaction;
    private final RowReads reads;
    private Map<Key, Integer> parts = Map.of();

    GroupWrite(NdbSession session, NdbTransaction transaction, NdbLease lease) {
        this.session = session;
        this.transaction = transaction;
        this.lease = lease;
        this.reads = new RowReads(session, transaction);
    }

    /**
     * Verifies that this process holds the database, and returns each row as the group leaves it; null if deleted.
     *
     * @param refused set to the places of the commits that a quota does not admit
     */
    Map<Key, @Nullable Row> begin(List<List<Mutation>> group, BitSet refused) throws DatabaseLostException {
        HolderRow.Reading holder = lease.lock(session, transaction);
        RowReads.Found found = reads.read(GroupChanges.begun(group), replaced(group));
        lease.demandMine(holder.row());
        parts = found.parts();
        return GroupChanges.of(group, found.rows(), refused);
    }

    /** Returns the rows that are deleted, or may have had more parts. */
    private static Set<Key> replaced(List<List<Mutation>> group) {
        Set<Key> replaced = new LinkedHashSet<>();
        for (List<Mutation> commit : group) {
            for (Mutation mutation : commit) {
                Key key = mutation.key();
                if (mutation instanceof Mutation.Delete
                        || (mutation instanceof Mutation.Put && RowTable.of(key).hasParts())) {
                    replaced.add(key);
                }
            }
        }
        return replaced;
    }

    /** Changes the rows. */
    void change(Map<Key, @Nullable Row> changed) throws DatabaseLostException {
        RowWrites writes = new RowWrites(session, transaction);
        for (Map.Entry<Key, @Nullable Row> each : changed.entrySet()) {
            int before = parts.getOrDefault(each.getKey(), 0);
            Row row = each.getValue();
            if (row == null) {
                writes.delete(each.getKey(), before);
            } else {
                writes.put(row, before);
            }
        }
        writes.flush();
    }
}
