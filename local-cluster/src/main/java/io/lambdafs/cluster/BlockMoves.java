package io.lambdafs.cluster;

import io.lambdafs.datanode.BlockMove;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.functions.namenode.BlockPlaces;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.StoragePolicies;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Moves the blocks of a file, or of all files below a directory, to another block store of a cluster that runs. Stateless. */
public final class BlockMoves {
    /** What {@code --to} calls the block store without a name. */
    public static final String DEFAULT = "default";

    private static final String NAME = "move";
    private static final int PAGE = 1_000;

    private BlockMoves() {}

    /**
     * Goes through the files once. What is renamed or made meanwhile may be passed over; another run finds it.
     *
     * @param to the name of a block store, or {@link #DEFAULT}
     * @param dryRun whether blocks are only counted
     * @throws FsException {@code NOT_FOUND}: no such path; {@code INVALID_ARGUMENT}: no such block store; else as the stores say
     */
    public static BlockMove.Report run(LocalCluster cluster, FsPath path, String to, boolean dryRun) {
        ClusterSettings.Blocks settings =
                cluster.settings(LocalCluster.StartOptions.none()).blocks();
        String target = target(settings, to);
        return cluster.withStore(metadata -> {
            String id = ClusterId.in(
                            BlockMove.await(metadata.begin(0).readAndEnd(List.of(Read.unlocked(ClusterId.KEY)), 0))
                                    .stream()
                                    .flatMap(row -> Optional.ofNullable(row).stream())
                                    .toList())
                    .orElseThrow(() ->
                            new FsException(ErrorCode.NOT_FOUND, "no datanode was ever started: there are no blocks"));
            try (SystemScheduler scheduler = new SystemScheduler(NAME, 1, 64);
                    OpenBlockStores stores = OpenBlockStores.of(cluster.directory(), settings, id, NAME)) {
                BlockMove move =
                        new BlockMove(metadata, stores.byName(), target, scheduler, BlockPlaces.deletableMillis(0));
                walk(metadata, path, move, dryRun);
                return move.report();
            }
        });
    }

    private static String target(ClusterSettings.Blocks settings, String to) {
        String wanted = to.equals(DEFAULT) ? settings.places().get(0).store() : StoragePolicies.store(to);
        if (settings.places().stream().noneMatch(each -> each.store().equals(wanted))) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the cluster has no block store \"" + to + "\"; it has " + DEFAULT + " and "
                            + settings.stores().keySet());
        }
        return wanted;
    }

    private static void walk(MetadataStore metadata, FsPath path, BlockMove move, boolean dryRun) {
        INode start = find(metadata, path);
        if (start.isFile()) {
            move.file(start.id(), dryRun);
            return;
        }
        Deque<Long> directories = new ArrayDeque<>(List.of(start.id()));
        while (!directories.isEmpty()) {
            long directory = directories.pop();
            @Nullable String after = null;
            List<Row> page;
            do {
                StoreTransaction look = metadata.begin(0);
                page = BlockMove.await(look.scan(new Scan(Schema.INODES, directory, after, PAGE))
                        .whenComplete((rows, failure) -> look.abort()));
                for (Row row : page) {
                    INode node = Rows.inode(row);
                    after = node.name();
                    if (node.isDirectory()) {
                        directories.push(node.id());
                    } else if (node.content().isInBlocks()) {
                        move.file(node.id(), dryRun);
                    }
                }
            } while (page.size() == PAGE);
        }
    }

    private static INode find(MetadataStore metadata, FsPath path) {
        long parent = 0;
        @Nullable INode found = null;
        for (int depth = 0; depth <= path.depth(); depth++) {
            Read next = Read.unlocked(Rows.inodeKey(parent, depth == 0 ? "" : path.name(depth - 1)));
            @Nullable
            Row row = BlockMove.await(metadata.begin(0).readAndEnd(List.of(next), 0))
                    .get(0);
            if (row == null) {
                throw new FsException(
                        ErrorCode.NOT_FOUND, "no such file or directory: \"" + path.ancestor(depth) + "\"");
            }
            found = Rows.inode(row);
            parent = found.id();
        }
        return Objects.requireNonNull(found);
    }
}
