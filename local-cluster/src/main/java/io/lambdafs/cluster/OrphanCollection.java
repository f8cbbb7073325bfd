package io.lambdafs.cluster;

import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.Orphans;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;

/** Deletes what a cluster's block stores have and its metadata do not name, whether the cluster runs or not. Stateless. */
public final class OrphanCollection {
    private OrphanCollection() {}

    /**
     * Goes through the block stores once.
     *
     * @param dryRun whether nothing is deleted
     * @throws FsException {@code NOT_FOUND}: there are no metadata; {@code INVALID_ARGUMENT}: a store is another cluster's; else as the stores say
     */
    public static Orphans.Report run(LocalCluster cluster, boolean dryRun) {
        String id = id(cluster);
        try (OpenBlockStores stores = OpenBlockStores.of(
                cluster.directory(),
                cluster.settings(LocalCluster.StartOptions.none()).blocks(),
                id,
                "gc")) {
            return stores.byName().entrySet().stream()
                    .map(each -> Orphans.collect(
                            each.getValue(),
                            ClusterId.owner(id, each.getKey()),
                            keys -> ClusterRows.read(cluster, rows -> Orphans.named(rows, each.getKey(), keys)),
                            dryRun))
                    .reduce(Orphans.Report::plus)
                    .orElseThrow();
        }
    }

    /** By what a cluster's block stores know it. */
    static String id(LocalCluster cluster) {
        return ClusterRows.read(cluster, ClusterId::in)
                .orElseThrow(() -> new FsException(
                        ErrorCode.NOT_FOUND,
                        "no datanode was ever started in " + cluster.directory() + ": it has no blocks"));
    }
}
