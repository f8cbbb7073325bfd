package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.functions.listing.SharedReads;
import io.lambdafs.functions.namenode.NameNodeContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Fills an owner's cache with listings (PROTOCOL: R4, R6, R7): whole ones under the listing lock, one fill of a
 * directory at a time; and the names that a cached listing no longer knows, under the locks of their rows. Thread-safe.
 */
final class ListingFills {
    private static final int SCAN_ROWS = 5_000;
    /** A fill waits no longer for a lock, because writers wait behind it. */
    private static final long LOCK_WAIT_NANOS = 10_000_000;

    private final MetadataStore store;
    private final PathTrie trie;
    private final int maxCached;
    private final SharedReads<Wanted, Boolean> fills = new SharedReads<>();

    ListingFills(NameNodeContext context) {
        this.store = context.store();
        this.trie = context.trie();
        this.maxCached = context.settings().maxCachedListing();
    }

    /** Identifies a directory under an epoch. */
    private record Wanted(long directory, long epoch) {}

    /** Returns the directory's listing if one is cached that is complete but for names. */
    @Nullable
    Listing cached(FsPath path, INode directory) {
        Walk walk = trie.walk(path);
        return walk.isComplete() && walk.node(path.depth()).id() == directory.id() ? walk.listingButForNames() : null;
    }

    /**
     * Caches the directory's listing, unless a fill that began after this call has done it.
     *
     * @param begun called if it is this call that reads the store
     * @return completes with whether it is cached; it is not if it is too long or its lock is not free
     */
    CompletionStage<Boolean> fill(Call call, FsPath path, INode directory, Runnable begun) {
        return fills.read(new Wanted(directory.id(), call.epoch()), () -> {
            if (cached(path, directory) != null) {
                return CompletableFuture.completedFuture(true);
            }
            begun.run();
            return read(call, path, directory);
        });
    }

    private CompletionStage<Boolean> read(Call call, FsPath path, INode directory) {
        StoreTransaction transaction = call.begin(store);
        CompletableFuture<Boolean> filled = transaction
                .read(
                        List.of(
                                Read.exclusive(Rows.listingKey(directory.id())),
                                Read.unlocked(Rows.statsKey(directory.id()))),
                        LOCK_WAIT_NANOS)
                .thenCompose(locked -> {
                    if (Rows.stats(locked.get(1)).children() > maxCached) {
                        return CompletableFuture.completedFuture(false);
                    }
                    // Under the lock: a change that was announced earlier is made, or never will be.
                    Ticket ticket = call.ticket(trie);
                    return scanAll(transaction, directory.id(), new ArrayList<>())
                            .thenApply(nodes -> publish(ticket, path, directory, nodes));
                })
                .whenComplete((done, error) -> transaction.abort())
                .toCompletableFuture();
        return filled.exceptionallyCompose(error ->
                isConflict(error) ? CompletableFuture.completedFuture(false) : CompletableFuture.failedFuture(error));
    }

    private CompletionStage<List<INode>> scanAll(StoreTransaction transaction, long directory, List<INode> nodes) {
        int limit = Math.min(SCAN_ROWS, maxCached + 1 - nodes.size());
        String after = nodes.isEmpty() ? null : nodes.get(nodes.size() - 1).name();
        return transaction
                .scan(new Scan(Schema.INODES, directory, after, limit))
                .thenCompose(rows -> {
                    rows.forEach(row -> nodes.add(Rows.inode(row)));
                    boolean end = rows.size() < limit || nodes.size() > maxCached;
                    return end ? CompletableFuture.completedFuture(nodes) : scanAll(transaction, directory, nodes);
                });
    }

    private boolean publish(Ticket ticket, FsPath path, INode directory, List<INode> nodes) {
        List<String> marked =
                nodes.stream().filter(INode::isFlagged).map(INode::name).toList();
        List<INode> others = nodes.stream().filter(node -> !node.isFlagged()).toList();
        Listing listing = nodes.size() > maxCached ? null : Listing.of(others).without(marked);
        if (listing == null) {
            return false;
        }
        trie.publish(ticket, List.of(new Fill.Children(path, listing)));
        return cached(path, directory) != null;
    }

    private static boolean isConflict(Throwable error) {
        return FsException.of(error).code() == ErrorCode.STORE_CONFLICT;
    }

    /**
     * Names that a listing does not know with what they stand for, at one moment.
     *
     * @param reads unlocked, to read them again
     */
    record Names(List<Read> reads, List<@Nullable Row> rows) {
        static final Names NONE = new Names(List.of(), List.of());

        private Map<String, @Nullable INode> children(List<String> names, boolean marked) {
            Map<String, @Nullable INode> children = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                Row row = rows.get(i);
                INode node = row == null ? null : Rows.inode(row);
                if (marked || node == null || !node.isFlagged()) {
                    children.put(names.get(i), node);
                }
            }
            return children;
        }

        /** Returns the listing with these names; null if it has to be read as a whole. */
        @Nullable
        Listing complete(Listing listing) {
            return reads.isEmpty() ? listing : listing.with(children(listing.unknown(), true));
        }
    }

    /**
     * Reads the names that a cached listing does not know, and completes it. Without their locks the names are not
     * cached.
     *
     * @param ticket taken before the listing was
     */
    CompletionStage<Names> repair(Call call, FsPath path, INode directory, Listing listing, Ticket ticket) {
        List<String> names = listing.unknown();
        List<Read> reads = names.stream()
                .map(name -> Read.unlocked(Rows.inodeKey(directory.id(), name)))
                .toList();
        List<Read> locked = reads.stream().map(read -> Read.shared(read.key())).toList();
        return call.begin(store)
                .readAndEnd(locked, LOCK_WAIT_NANOS)
                .thenApply(rows -> {
                    Names found = new Names(reads, rows);
                    trie.publish(ticket, List.of(new Fill.Names(path, found.children(names, false))));
                    return found;
                })
                .exceptionallyCompose(error -> isConflict(error)
                        ? call.begin(store).readAndEnd(reads, 0).thenApply(rows -> new Names(reads, rows))
                        : CompletableFuture.failedFuture(error));
    }
}
