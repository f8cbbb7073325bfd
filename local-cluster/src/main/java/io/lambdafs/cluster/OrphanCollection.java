package io.lambdafs.cluster;

import io.lambdafs.datanode.BlockStores;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.Orphans;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.embedded.StoredRows;
import java.nio.file.Path;
import java.util.Optional;

/** Deletes what a cluster's block store has and its metadata do not name, whether the cluster runs or not. Stateless. */
public final class OrphanCollection {
    private static final String NAME = "gc";

    private OrphanCollection() {}

    /**
     * Goes through the block store once.
     *
     * @param dryRun whether nothing is deleted
     * @throws FsException {@code NOT_FOUND}: there are no metadata; {@code INVALID_ARGUMENT}: the store is another cluster's; else as the stores say
     */
    public static Orphans.Report run(LocalCluster cluster, boolean dryRun) {
        ClusterDirectory directory = cluster.directory();
        ClusterSettings.Blocks settings =
                cluster.settings(LocalCluster.StartOptions.none()).blocks();
        Path metadata = directory.data("store");
        String id = StoredRows.read(metadata, ClusterId::in)
                .orElseThrow(() -> new FsException(
                        ErrorCode.NOT_FOUND, "no datanode was ever started in " + directory + ": it has no blocks"));
        try (BlockStore store = BlockStores.open(
                settings.place().isEmpty() ? directory.data("blocks").toString() : settings.place(),
                text(settings.endpoint()),
                text(settings.encryption()),
                NAME,
                directory.run().resolve(NAME))) {
            return Orphans.collect(
                    store,
                    id,
                    keys -> StoredRows.read(metadata, rows -> Orphans.named(rows, settings.storeName(), keys)),
                    dryRun);
        }
    }

    private static Optional<String> text(String setting) {
        return Optional.of(setting).filter(each -> !each.isEmpty());
    }
}
