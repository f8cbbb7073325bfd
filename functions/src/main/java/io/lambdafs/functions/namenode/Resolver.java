package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Resolves paths to directories, from cached links and, where they end, from the store. What it returns stays true for as long as
 * the operation is counted in flight: whoever renames, removes or re-protects a directory first marks it, then waits for the
 * operations below it. For the same reason links need no locks to be filled: a marked row is never cached, and a fill that read an
 * unmarked one before the mark is voided by the invalidation that follows it. Of files nothing of this holds, so only directories
 * are taken from the cache here. Thread-safe.
 */
public final class Resolver {
    private final MetadataStore store;
    private final PathTrie trie;
    private final Telemetry telemetry;

    Resolver(NameNodeParts parts) {
        this.store = parts.store();
        this.trie = parts.trie();
        this.telemetry = parts.telemetry();
    }

    /**
     * Resolves the first {@code depth} components.
     *
     * @return the chain as far as it exists; a file ends it. Fails with {@link Restart} where a subtree operation is met.
     */
    public CompletionStage<Chain> resolve(Call call, FsPath path, int depth) {
        INode[] nodes = new INode[depth + 1];
        Walk walk = trie.walk(path);
        int known = 0;
        while (known < walk.known() && known <= depth && walk.node(known).isDirectory()) {
            nodes[known] = walk.node(known);
            known++;
        }
        telemetry.resolved(known, 0);
        if (known > depth) {
            return CompletableFuture.completedFuture(new Chain(path, nodes, known));
        }
        return extend(call, path, nodes, known);
    }

    /**
     * Resolves all components but the last, which is the directory that is cached there or is taken for absent: for a write that finds
     * out under its locks, and resolves it then.
     */
    CompletionStage<Chain> resolveExpectingAbsent(Call call, FsPath path) {
        int depth = path.depth();
        return depth == 0
                ? resolve(call, path, depth)
                : resolve(call, path, depth - 1).thenApply(chain -> {
                    Walk walk = trie.walk(path);
                    boolean known = chain.size() == depth
                            && walk.isComplete()
                            && walk.node(depth).isDirectory()
                            && walk.node(depth).parentId() == chain.last().id();
                    return known ? chain.with(walk.node(depth)) : chain;
                });
    }

    /** The file at a path, if it is cached; it may have changed since. */
    @Nullable
    INode cachedFile(FsPath path) {
        Walk walk = trie.walk(path);
        INode last = walk.isComplete() ? walk.node(path.depth()) : null;
        return last == null || last.isDirectory() ? null : last;
    }

    private CompletionStage<Chain> extend(Call call, FsPath path, INode[] nodes, int known) {
        long parentId = known == 0 ? 0 : nodes[known - 1].id();
        String name = known == 0 ? "" : path.name(known - 1);
        Ticket ticket = call.ticket(trie);
        return readOne(call, parentId, name, LockMode.NONE)
                .thenCompose(row -> extended(call, path, nodes, known, row, ticket));
    }

    private CompletionStage<Chain> extended(
            Call call, FsPath path, INode[] nodes, int known, @Nullable Row row, Ticket ticket) {
        if (row == null) {
            if (known == 0) {
                return CompletableFuture.failedFuture(NotFormatted.exception());
            }
            return CompletableFuture.completedFuture(new Chain(path, nodes, known));
        }
        INode node = Rows.inode(row);
        if (node.isFlagged()) {
            return CompletableFuture.failedFuture(Restart.flagged(node));
        }
        nodes[known] = node;
        telemetry.resolved(0, 1);
        if (node.isDirectory()) {
            trie.publish(ticket, List.of(new Fill.Link(path.ancestor(known), node)));
        }
        int count = known + 1;
        if (count == nodes.length || node.isFile()) {
            return CompletableFuture.completedFuture(new Chain(path, nodes, count));
        }
        return extend(call, path, nodes, count);
    }

    /** Reads one row of the namespace in a transaction of its own. */
    CompletionStage<@Nullable Row> readOne(Call call, long parentId, String name, LockMode lock) {
        return store.begin(call.epoch(), parentId)
                .readAndEnd(List.of(new Read(Rows.inodeKey(parentId, name), lock)), 0)
                .thenApply(rows -> rows.get(0));
    }
}
