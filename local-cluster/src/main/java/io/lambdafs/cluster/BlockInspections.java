package io.lambdafs.cluster;

import io.lambdafs.datanode.BlockInspection;
import io.lambdafs.model.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Finds the blocks of a cluster's files that cannot be read as they were written, whether the cluster runs or not. Stateless. */
public final class BlockInspections {
    private static final int DEEPEST = 10_000;

    private BlockInspections() {}

    /** What was looked at, and what is wrong, one line each, with the path of the file. */
    public record Report(long blocks, long bytes, List<String> faults) {}

    /**
     * Goes through the block stores once.
     *
     * @param deep whether every byte is read
     * @throws io.lambdafs.model.FsException as the stores say
     */
    public static Report run(LocalCluster cluster, boolean deep) {
        BlockInspection.Rows rows = new BlockInspection.Rows() {
            @Override
            public <T> T read(Function<Iterable<Row>, T> reader) {
                return ClusterRows.read(cluster, reader);
            }
        };
        BlockInspection.Report found;
        try (OpenBlockStores stores = OpenBlockStores.of(
                cluster.directory(),
                cluster.settings(LocalCluster.StartOptions.none()).blocks(),
                OrphanCollection.id(cluster),
                "check")) {
            found = stores.byName().entrySet().stream()
                    .map(each -> BlockInspection.run(each.getValue(), each.getKey(), rows, deep))
                    .reduce(BlockInspection.Report::plus)
                    .orElseThrow();
        }
        Map<Long, INode> nodes = found.faults().isEmpty() ? Map.of() : nodes(cluster);
        return new Report(
                found.blocks(),
                found.bytes(),
                found.faults().stream()
                        .map(each -> path(nodes, each.block().inodeId()) + ": block "
                                + each.block().index() + " in " + each.block().store() + ": " + each.why())
                        .sorted()
                        .toList());
    }

    private static Map<Long, INode> nodes(LocalCluster cluster) {
        return ClusterRows.read(cluster, rows -> {
            Map<Long, INode> nodes = new HashMap<>();
            for (Row row : rows) {
                if (row.key().table().equals(Schema.INODES)) {
                    INode node = Rows.inode(row);
                    nodes.put(node.id(), node);
                }
            }
            return nodes;
        });
    }

    /** Of a file that is being deleted there is none. */
    private static String path(Map<Long, INode> nodes, long id) {
        StringBuilder path = new StringBuilder();
        INode node = nodes.get(id);
        for (int depth = 0; node != null && depth < DEEPEST; depth++) {
            if (node.id() == INode.ROOT_ID) {
                return path.toString();
            }
            path.insert(0, "/" + node.name());
            node = nodes.get(node.parentId());
        }
        return "file " + id + ", which has no path any more";
    }
}
