package io.lambdafs.cluster.blocks;

import io.lambdafs.cluster.settings.BlockAccess;
import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.datanode.BlockMove;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.StoragePolicies;
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
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves the blocks of a file, or of all files below a directory, to another block store of a running cluster.
 * Stateless.
 */
public final class BlockMoves {
    /** The name of the unnamed block store in {@code --to}. */
    public static final String DEFAULT = "default";

    private static final String NAME = "move";
    private static final int PAGE = 1_000;

    private BlockMoves() {}

    /**
     * Moves blocks in one pass over the files. Files renamed or created meanwhile may be missed; another run finds
     * them.
     *
     * @param to the name of a block store, or {@link #DEFAULT}; empty for the store of each file's policy
     * @param dryRun whether to only count blocks
     * @throws FsException {@code NOT_FOUND} for no such path, {@code INVALID_ARGUMENT} for no such block store;
     *     otherwise as the stores do
     */
    public static BlockMove.Report run(OperatedCluster cluster, FsPath path, Optional<String> to, boolean dryRun) {
        BlockAccess access = cluster.blocks();
        Optional<String> target = to.map(each -> target(access, each));
        Set<String> names = access.places().stream().map(BlockPlace::store).collect(Collectors.toSet());
        String unnamed = target(access, DEFAULT);
        return cluster.withStore(metadata -> {
            String id = ClusterId.in(
                            BlockMove.await(metadata.begin(0).readAndEnd(List.of(Read.unlocked(ClusterId.KEY)), 0))
                                    .stream()
                                    .flatMap(row -> Optional.ofNullable(row).stream())
                                    .toList())
                    .orElseThrow(() -> new FsException(ErrorCode.NOT_FOUND, "no block was ever written"));
            try (SystemScheduler scheduler = new SystemScheduler(NAME, 1, 64);
                    OpenBlockStores stores = OpenBlockStores.of(access, id, NAME)) {
                BlockMove move = new BlockMove(metadata, stores.byName(), scheduler, BlockPlaces.deletableMillis(0));
                walk(metadata, path, (file, policy) -> {
                    String named = StoragePolicies.store(policy.isEmpty() ? StoragePolicies.DEFAULT : policy);
                    move.file(file, target.orElse(names.contains(named) ? named : unnamed), dryRun);
                });
                return move.report();
            }
        });
    }

    private static String target(BlockAccess access, String to) {
        String wanted = to.equals(DEFAULT) ? access.places().get(0).store() : StoragePolicies.store(to);
        if (access.places().stream().noneMatch(each -> each.store().equals(wanted))) {
            throw FsException.invalidArgument(
                    "the cluster has no block store \"" + to + "\"; it has " + DEFAULT + " and " + access.names());
        }
        return wanted;
    }

    /** A file or directory and the policy that applies to it; empty for none. */
    private record Found(INode node, String policy) {
        static Found in(String above, INode node) {
            String own = node.traits().storagePolicy();
            return new Found(node, own.isEmpty() ? above : own);
        }
    }

    /** @param step receives the id and policy of each file in blocks */
    private static void walk(MetadataStore metadata, FsPath path, BiConsumer<Long, String> step) {
        Found start = find(metadata, path);
        if (start.node().isFile()) {
            step.accept(start.node().id(), start.policy());
            return;
        }
        Deque<Found> directories = new ArrayDeque<>(List.of(start));
        while (!directories.isEmpty()) {
            Found directory = directories.pop();
            @Nullable String after = null;
            List<Row> page;
            do {
                StoreTransaction look = metadata.begin(0);
                page = BlockMove.await(
                        look.scan(new Scan(Schema.INODES, directory.node().id(), after, PAGE))
                                .whenComplete((rows, failure) -> look.abort()));
                for (Row row : page) {
                    Found found = Found.in(directory.policy(), Rows.inode(row));
                    after = found.node().name();
                    if (found.node().isDirectory()) {
                        directories.push(found);
                    } else if (found.node().content().isInBlocks()) {
                        step.accept(found.node().id(), found.policy());
                    }
                }
            } while (page.size() == PAGE);
        }
    }

    private static Found find(MetadataStore metadata, FsPath path) {
        long parent = 0;
        @Nullable Found found = null;
        for (int depth = 0; depth <= path.depth(); depth++) {
            Read next = Read.unlocked(Rows.inodeKey(parent, depth == 0 ? "" : path.name(depth - 1)));
            @Nullable
            Row row = BlockMove.await(metadata.begin(0).readAndEnd(List.of(next), 0))
                    .get(0);
            if (row == null) {
                throw new FsException(
                        ErrorCode.NOT_FOUND, "no such file or directory: \"" + path.ancestor(depth) + "\"");
            }
            found = Found.in(found == null ? "" : found.policy(), Rows.inode(row));
            parent = found.node().id();
        }
        return Objects.requireNonNull(found);
    }
}
