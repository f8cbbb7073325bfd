package io.lambdafs.benchmarks.stores;

import io.lambdafs.cluster.dump.Dump;
import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.List;

/** Takes all rows out of a store, so that its process can be loaded once more. Stateless. */
final class EmptiedStore {
    private static final int AT_ONCE = 2_000;

    private EmptiedStore() {}

    static void empty(MetadataStore store) {
        List<Key> keys = Snapshot.read(store, EmptiedStore::keys);
        for (int from = 0; from < keys.size(); from += AT_ONCE) {
            List<Mutation> deletes = new ArrayList<>();
            for (Key key : keys.subList(from, Math.min(from + AT_ONCE, keys.size()))) {
                deletes.add(new Mutation.Delete(key));
            }
            store.begin(0).commit(deletes, Long.MAX_VALUE).toCompletableFuture().join();
        }
    }

    private static List<Key> keys(Iterable<Row> rows) {
        List<Key> keys = new ArrayList<>();
        for (Row row : rows) {
            if (!row.key().table().equals(Schema.SETTINGS) || !Dump.isOfEngine(row)) {
                keys.add(row.key());
            }
        }
        return keys;
    }
}
