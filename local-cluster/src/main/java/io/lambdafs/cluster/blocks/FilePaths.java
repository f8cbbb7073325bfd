package io.lambdafs.cluster.blocks;

import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.HashMap;
import java.util.Map;

/** The paths of INodes by id, at one moment, for reports. Immutable. */
final class FilePaths {
    static final FilePaths NONE = new FilePaths(Map.of());

    private static final int DEEPEST = 10_000;

    private final Map<Long, INode> nodes;

    private FilePaths(Map<Long, INode> nodes) {
        this.nodes = nodes;
    }

    /** Reads all INodes. */
    static FilePaths of(OperatedCluster cluster) {
        return cluster.rows(rows -> {
            Map<Long, INode> nodes = new HashMap<>();
            for (Row row : rows) {
                if (row.key().table().equals(Schema.INODES)) {
                    INode node = Rows.inode(row);
                    nodes.put(node.id(), node);
                }
            }
            return new FilePaths(nodes);
        });
    }

    /** Returns the path of an INode; files being deleted have none. */
    String of(long id) {
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
