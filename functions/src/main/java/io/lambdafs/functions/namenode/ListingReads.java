package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of a directory. A page reflects one moment, although a child directory's time and count are in a
 * different row from its name: a fill holds the directory's exclusive listing lock over both reads; a cached listing
 * must still be current after the counts were read; and an unlocked page is reread after the counts until it is
 * unchanged. Thread-safe.
 */
final class ListingReads {
    private static final int SCAN_ROWS = 5_000;
    private static final int OPTIMISTIC_TRIES = 5;

    private final MetadataStore store;
    private final PathTrie trie;
    private final NameNodeSettings settings;

    ListingReads(NameNodeContext context) {
        this.store = context.store();
        this.trie = context.trie();
        this.settings = context.settings();
    }

    /** The rows of a page in order, and whether more follow. */
    private record Slice(List<INode> nodes, boolean more) {}

    /** Answers a page and fills the cache, at an instance that may cache the directory's listing. */
    CompletionStage<Reply> fillAndPage(Call call, ReadOperation.ListPage operation, INode directory) {
        Walk walk = trie.walk(operation.path());
        Listing cached = walk.isComplete() ? walk.listing() : null;
        if (cached == null) {
            return fill(call, operation, directory);
        }
        Slice slice = slice(cached, operation);
        StoreTransaction transaction = call.begin(store);
        return stats(transaction, slice)
                .whenComplete((page, error) -> transaction.abort())
                .thenCompose(page -> trie.isCurrent(walk.version())
                        ? CompletableFuture.completedFuture(page)
                        : fill(call, operation, directory));
    }

    private CompletionStage<Reply> fill(Call call, ReadOperation.ListPage operation, INode directory) {
        Ticket ticket = call.ticket(trie);
        StoreTransaction transaction = call.begin(store);
        CompletableFuture<Reply> filled = transaction
                .read(
                        List.of(
                                Read.exclusive(Rows.listingKey(directory.id())),
                                Read.unlocked(Rows.statsKey(directory.id()))),
                        StoreTransaction.AT_ONCE)
                .thenCompose(locked -> {
                    if (Rows.stats(locked.get(1)).children() > settings.maxCachedListing()) {
                        // Not cacheable: only this page is read, and no other request shares it.
                        transaction.abort();
                        return page(call, operation, directory);
                    }
                    return scanAll(transaction, directory.id(), new ArrayList<>())
                            .thenCompose(rows -> answerLocked(transaction, operation, rows, ticket));
                })
                .whenComplete((reply, error) -> transaction.abort())
                .toCompletableFuture();
        return filled.exceptionallyCompose(
                error -> isConflict(error) ? page(call, operation, directory) : CompletableFuture.failedFuture(error));
    }

    private static boolean isConflict(Throwable error) {
        return FsException.of(error).code() == ErrorCode.STORE_CONFLICT;
    }

    private CompletionStage<List<INode>> scanAll(StoreTransaction transaction, long directory, List<INode> nodes) {
        int limit = Math.min(SCAN_ROWS, settings.maxCachedListing() + 1 - nodes.size());
        String after = nodes.isEmpty() ? null : nodes.get(nodes.size() - 1).name();
        return transaction
                .scan(new Scan(Schema.INODES, directory, after, limit))
                .thenCompose(rows -> {
                    rows.forEach(row -> nodes.add(Rows.inode(row)));
                    boolean end = rows.size() < limit || nodes.size() > settings.maxCachedListing();
                    return end ? CompletableFuture.completedFuture(nodes) : scanAll(transaction, directory, nodes);
                });
    }

    private CompletionStage<Reply> answerLocked(
            StoreTransaction transaction, ReadOperation.ListPage operation, List<INode> nodes, Ticket ticket) {
        if (nodes.size() > settings.maxCachedListing()) {
            return scanPage(transaction, operation, nodes.get(0).parentId())
                    .thenCompose(rows -> stats(transaction, slice(rows, operation)));
        }
        Listing listing = Listing.of(nodes);
        if (nodes.stream().noneMatch(INode::isFlagged)) {
            trie.publish(ticket, List.of(new Fill.Children(operation.path(), listing)));
        }
        return stats(transaction, slice(listing, operation));
    }

    private static Slice slice(Listing listing, ReadOperation.ListPage operation) {
        int from = operation.startAfter().isEmpty() ? 0 : listing.indexAfter(operation.startAfter());
        int to = Math.min(listing.size(), from + operation.limit());
        List<INode> nodes = new ArrayList<>(to - from);
        int left = PageBytes.MAX;
        for (int i = from; i < to; i++) {
            INode node = listing.get(i);
            left -= PageBytes.of(node);
            if (left < 0) {
                return new Slice(nodes, true);
            }
            nodes.add(node);
        }
        return new Slice(nodes, to < listing.size());
    }

    /** Answers a page without locks and without caching. */
    CompletionStage<Reply> page(Call call, ReadOperation.ListPage operation, INode directory) {
        StoreTransaction transaction = call.begin(store);
        return scanPage(transaction, operation, directory.id())
                .thenCompose(rows -> settled(transaction, operation, directory.id(), rows, 1))
                .whenComplete((reply, error) -> transaction.abort());
    }

    private CompletionStage<Reply> settled(
            StoreTransaction transaction, ReadOperation.ListPage operation, long directory, List<Row> rows, int tries) {
        Slice slice = slice(rows, operation);
        if (slice.nodes().stream().noneMatch(INode::isDirectory)) {
            return stats(transaction, slice);
        }
        return stats(transaction, slice)
                .thenCompose(reply -> scanPage(transaction, operation, directory)
                        .thenCompose(again -> {
                            if (again.equals(rows)) {
                                return CompletableFuture.completedFuture(reply);
                            }
                            if (tries == OPTIMISTIC_TRIES) {
                                return CompletableFuture.failedFuture(Restart.changed("the directory"));
                            }
                            return settled(transaction, operation, directory, again, tries + 1);
                        }));
    }

    private static CompletionStage<List<Row>> scanPage(
            StoreTransaction transaction, ReadOperation.ListPage operation, long directory) {
        String after = operation.startAfter().isEmpty() ? null : operation.startAfter();
        return transaction.scan(new Scan(Schema.INODES, directory, after, operation.limit() + 1));
    }

    /** Converts the rows of a page, which may include the first row of the next. */
    private static Slice slice(List<Row> rows, ReadOperation.ListPage operation) {
        int most = Math.min(rows.size(), operation.limit());
        List<INode> nodes = new ArrayList<>(most);
        int left = PageBytes.MAX;
        for (int i = 0; i < most; i++) {
            INode node = Rows.inode(rows.get(i));
            left -= PageBytes.of(node);
            if (left < 0) {
                return new Slice(nodes, true);
            }
            nodes.add(node);
        }
        return new Slice(nodes, rows.size() > operation.limit());
    }

    /** Adds times and child counts of the directories in the slice, read in one batch. */
    private static CompletionStage<Reply> stats(StoreTransaction transaction, Slice slice) {
        List<Read> reads = slice.nodes().stream()
                .filter(INode::isDirectory)
                .map(node -> Read.unlocked(Rows.statsKey(node.id())))
                .toList();
        if (reads.isEmpty()) {
            return CompletableFuture.completedFuture(pageOf(slice, List.of()));
        }
        return transaction.read(reads, 0).thenApply(rows -> pageOf(slice, rows));
    }

    private static Reply pageOf(Slice slice, List<@Nullable Row> stats) {
        List<Attributes> entries = new ArrayList<>(slice.nodes().size());
        int next = 0;
        for (INode node : slice.nodes()) {
            Row row = node.isDirectory() ? stats.get(next++) : null;
            entries.add(Attributes.of(node, Rows.stats(row)));
        }
        return new Reply.Page(entries, slice.more());
    }
}
