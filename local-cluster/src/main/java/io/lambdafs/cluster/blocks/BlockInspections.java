package io.lambdafs.cluster.blocks;

import io.lambdafs.datanode.BlockInspection;
import io.lambdafs.store.Row;
import java.util.List;
import java.util.function.Function;

/** Finds missing and damaged blocks of a cluster's files, whether the cluster runs or not. Stateless. */
public final class BlockInspections {
    private BlockInspections() {}

    /** The extent of the check, and one line per fault, with the path of the file. */
    public record Report(long blocks, long bytes, List<String> faults) {}

    /**
     * Checks the block stores once.
     *
     * @param deep whether to read every byte
     * @throws io.lambdafs.model.FsException as the stores do
     */
    public static Report run(OperatedCluster cluster, boolean deep) {
        BlockInspection.Rows rows = new BlockInspection.Rows() {
            @Override
            public <T> T read(Function<Iterable<Row>, T> reader) {
                return cluster.rows(reader);
            }
        };
        BlockInspection.Report found;
        try (OpenBlockStores stores = OpenBlockStores.of(cluster.blocks(), OrphanCollection.id(cluster), "check")) {
            found = stores.byName().entrySet().stream()
                    .map(each -> BlockInspection.run(each.getValue(), each.getKey(), rows, deep))
                    .reduce(BlockInspection.Report::plus)
                    .orElseThrow();
        }
        FilePaths paths = found.faults().isEmpty() ? FilePaths.NONE : FilePaths.of(cluster);
        return new Report(
                found.blocks(),
                found.bytes(),
                found.faults().stream()
                        .map(each -> paths.of(each.block().inodeId()) + ": block "
                                + each.block().index() + " in " + each.block().store() + ": " + each.why())
                        .sorted()
                        .toList());
    }
}
