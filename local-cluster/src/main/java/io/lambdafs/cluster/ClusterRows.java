package io.lambdafs.cluster;

import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.store.Row;
import io.lambdafs.store.embedded.StoredRows;
import java.util.function.Function;

/** All rows of a cluster's metadata: of an embedded store from its files, whether it runs or not; of another one, which must run, from a snapshot. Stateless. */
public final class ClusterRows {
    private ClusterRows() {}

    /**
     * Hands all rows of one moment to a reader that may be called several times; only the last result counts.
     *
     * @throws io.lambdafs.model.FsException as the store says
     */
    public static <T> T read(LocalCluster cluster, Function<Iterable<Row>, T> reader) {
        return cluster.isEmbedded()
                ? StoredRows.read(cluster.directory().data("store"), reader)
                : cluster.withStore(store -> Snapshot.read(store, reader));
    }
}
