package io.lambdafs.cli.cluster;

import io.lambdafs.cluster.dump.Dump;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Dumps of a tree of eight INodes: the root, and seven directories in it. */
final class DumpOfATree {
    private static final int DIRECTORIES = 7;

    private DumpOfATree() {}

    static void make(Path dump, int deployments) {
        try (SystemScheduler scheduler = new SystemScheduler("dump-of-a-tree", 1, 100);
                MemoryStore store = new MemoryStore(scheduler)) {
            Formatter.format(store, deployments, "root", 1)
                    .toCompletableFuture()
                    .join();
            List<Mutation> changes = new ArrayList<>();
            for (int i = 0; i < DIRECTORIES; i++) {
                INode node = INode.directory(INode.ROOT_ID, "d" + i, 1_000 + i, "root", "users", 0755, 7);
                changes.add(new Mutation.Put(Rows.of(node)));
                changes.add(new Mutation.Put(Rows.location(node)));
            }
            changes.add(Rows.childrenChanged(INode.ROOT_ID, DIRECTORIES, 7));
            changes.add(Rows.totalsChanged(INode.ROOT_ID, new DirectoryTotals(0, DIRECTORIES, 0, 0)));
            store.begin(0).commit(changes, Long.MAX_VALUE).toCompletableFuture().join();
            Dump.run(store, dump, false, (what, rows, all) -> {});
        }
    }
}
