package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Resolves paths to directories, from cached links and, beyond them, from the store. The result stays valid while the
 * operation is counted as in flight: an operation that renames, removes or changes the permissions of a directory first
 * marks it, then waits for the operations below it. For the same reason links are filled without locks: a marked row is
 * never cached, and a fill that read the row before the mark is voided by the invalidation that follows. None of this
 * holds for files, so only directories are taken from the cache.
 *
 * <p>Without a cache, each request reads the whole path: in one message if every directory still has its last known id
 * ({@link DirectoryHints}), else component by component from the first that has changed. Thread-safe.
 */
public final class Resolver {
    private static final int MAX_HINTS = 16_384;

    private final MetadataStore store;
    private final PathTrie trie;
    private final Telemetry telemetry;
    private final DirectoryHints hints;

    public Resolver(NameNodeContext context) {
        this.store = context.store();
        this.trie = context.trie();
        this.telemetry = context.telemetry();
        // With cached links there is little to guess.
        this.hints = new DirectoryHints(trie.caches() ? 0 : MAX_HINTS);
    }

    /**
     * Resolves the first {@code depth} components of a path.
     *
     * @return the chain as far as it exists; a file ends it. Fails with {@link Restart} if it meets a subtree
     *     operation.
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
     * Resolves all components but the last, which is a cached directory or else presumed absent: for a write that
     * verifies this under its locks and resolves it then.
     */
    public CompletionStage<Chain> resolveExpectingAbsent(Call call, FsPath path) {
        int depth = path.depth();
        return depth == 0
                ? resolve(call, path, depth)
                : resolve(call, path, depth - 1).thenApply(chain -> {
                    INode known = chain.size() == depth ? cachedDirectory(path, chain.last()) : null;
                    return known == null ? chain : chain.with(known);
                });
    }

    /** Returns the file at a path if cached; it may have changed since. */
    @Nullable
    INode cachedFile(FsPath path) {
        Walk walk = trie.walk(path);
        INode last = walk.isComplete() ? walk.node(path.depth()) : null;
        return last == null || last.isDirectory() ? null : last;
    }

    /** Returns the directory at a path if cached as a child of the given one; it may have changed since. */
    @Nullable
    public INode cachedDirectory(FsPath path, INode parent) {
        Walk walk = trie.walk(path);
        INode last = walk.isComplete() ? walk.node(path.depth()) : null;
        return last != null && last.isDirectory() && last.parentId() == parent.id() ? last : null;
    }

    /** Reads the next component and, in the same message, those whose keys can be guessed. */
    private CompletionStage<Chain> extend(Call call, FsPath path, INode[] nodes, int known) {
        long parentId = known == 0 ? 0 : nodes[known - 1].id();
        List<Read> reads = new ArrayList<>();
        reads.add(read(path, known, parentId));
        for (int next = known + 1; next < nodes.length; next++) {
            Long guessed = hints.idOf(path.ancestor(next - 1));
            if (guessed == null) {
                break;
            }
            reads.add(read(path, next, guessed));
        }
        Extension extension = new Extension(known, reads, call.ticket(trie));
        return call.begin(store).readAndEnd(reads, 0).thenCompose(rows -> extended(call, path, nodes, extension, rows));
    }

    /** The components to read beyond the known ones. */
    private record Extension(int known, List<Read> reads, Ticket ticket) {}

    private static Read read(FsPath path, int depth, long parentId) {
        return Read.unlocked(Rows.inodeKey(parentId, depth == 0 ? "" : path.name(depth - 1)));
    }

    private CompletionStage<Chain> extended(
            Call call, FsPath path, INode[] nodes, Extension extension, List<@Nullable Row> rows) {
        int count = extension.known();
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0 && extension.reads().get(i).key().int64(0) != nodes[count - 1].id()) {
                // A different directory is at this path since the hint was taken.
                break;
            }
            Row row = rows.get(i);
            if (row == null) {
                return count == 0
                        ? CompletableFuture.failedFuture(NotFormatted.exception())
                        : CompletableFuture.completedFuture(new Chain(path, nodes, count));
            }
            INode node = Rows.inode(row);
            if (node.isFlagged()) {
                return CompletableFuture.failedFuture(Restart.flagged(node));
            }
            nodes[count] = node;
            telemetry.resolved(0, 1);
            if (node.isDirectory()) {
                trie.publish(extension.ticket(), List.of(new Fill.Link(path.ancestor(count), node)));
                hints.add(path.ancestor(count), node.id());
            }
            count++;
            if (count == nodes.length || node.isFile()) {
                return CompletableFuture.completedFuture(new Chain(path, nodes, count));
            }
        }
        return extend(call, path, nodes, count);
    }
}
