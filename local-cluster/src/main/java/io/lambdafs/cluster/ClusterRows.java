package io.lambdafs.cluster;

import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.store.Row;
import io.lambdafs.store.embedded.StoredRows;
import java.util.function.Function;

/**
 * Reads all rows of a cluster's metadata: of an embedded store from its files, running or not; of any other store,
 * which must run, from a snapshot. Stateless.
 */
public final class ClusterRows {
    private ClusterRows() {}

    /**
     * Passes all rows at one moment to a reader that may be called several times; only the last result counts.
     *
     * @throws io.lambdafs.model.FsException as the store does
     */
    public static <T> T read(LocalCluster cluster, Function<Iterable<Row>, T> reader) {
        return cluster.isEmbedded()
                ? StoredRows.read(cluster.directory().data("store"), reader)
                : cluster.withStore(store -> Snapshot.read(store, reader));
    }
}
