package io.lambdafs.cluster.blocks;

import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.Orphans;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;

/**
 * Deletes objects in a cluster's block stores that its metadata does not reference, whether the cluster runs or not.
 * Stateless.
 */
public final class OrphanCollection {
    private OrphanCollection() {}

    /**
     * Scans the block stores once.
     *
     * @param dryRun whether to delete nothing
     * @throws FsException {@code NOT_FOUND} if there is no metadata, {@code INVALID_ARGUMENT} if a store is another
     *     cluster's; otherwise as the stores do
     */
    public static Orphans.Report run(OperatedCluster cluster, boolean dryRun) {
        String id = id(cluster);
        try (OpenBlockStores stores = OpenBlockStores.of(cluster.blocks(), id, "gc")) {
            return stores.byName().entrySet().stream()
                    .map(each -> Orphans.collect(
                            each.getValue(),
                            ClusterId.owner(id, each.getKey()),
                            keys -> cluster.rows(rows -> Orphans.named(rows, each.getKey(), keys)),
                            dryRun))
                    .reduce(Orphans.Report::plus)
                    .orElseThrow();
        }
    }

    /** Returns the id by which block stores know a cluster. */
    static String id(OperatedCluster cluster) {
        return cluster.rows(ClusterId::in)
                .orElseThrow(() -> new FsException(
                        ErrorCode.NOT_FOUND, "no datanode was ever started in " + cluster + ": it has no blocks"));
    }
}
