package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.listing.PageBytes;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.snapshot.DirectoryVersion;
import io.lambdafs.store.snapshot.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The view of one snapshot (PROTOCOL: V4): of each row the current one if that was written before the snapshot was made, and otherwise the
 * first version from then on. The current one is read first: one that is not seen has left its version before. Used by one execution.
 */
final class SnapshotView {
    private static final int PAGE = 1_000;

    private final MetadataStore store;
    private final Call call;
    private final long directoryId;
    private final String name;
    private final long number;
    private final long madeMillis;

    private SnapshotView(MetadataStore store, Call call, long directoryId, String name, long number, long madeMillis) {
        this.store = store;
        this.call = call;
        this.directoryId = directoryId;
        this.name = name;
        this.number = number;
        this.madeMillis = madeMillis;
    }

    /** Returns the view of no snapshot, which only lists those of the directory. */
    static SnapshotView ofAll(MetadataStore store, Call call, long directoryId) {
        return new SnapshotView(store, call, directoryId, "", 0, 0);
    }

    /** A child, and what sees it. */
    record Seen(INode node, SnapshotView view) {}

    /** Children in order, and whether more follow. */
    record Slice(List<Seen> nodes, boolean more) {}

    /** Returns the view of what is there now, as if it were the last of all snapshots. */
    static SnapshotView ofNow(MetadataStore store, Call call, long directoryId) {
        return new SnapshotView(store, call, directoryId, "", Long.MAX_VALUE, 0);
    }

    long number() {
        return number;
    }

    /** Finds a snapshot of a directory; null if there is none of that name. */
    static CompletionStage<@Nullable SnapshotView> find(MetadataStore store, Call call, long directoryId, String name) {
        SnapshotView all = ofAll(store, call, directoryId);
        return all.read(Schema.SNAPSHOTS.key(directoryId, name)).thenApply(row -> row == null ? null : all.of(row));
    }

    private SnapshotView of(Row row) {
        return new SnapshotView(store, call, directoryId, row.key().string(1), row.int64(0), row.int64(1));
    }

    private Key key() {
        return Schema.SNAPSHOTS.key(directoryId, name);
    }

    /** Returns whether the snapshot is still there, and with it all that it sees. */
    CompletionStage<Boolean> isThere() {
        if (number == Long.MAX_VALUE) {
            return CompletableFuture.completedFuture(true);
        }
        return read(key()).thenApply(row -> row != null && row.int64(0) == number);
    }

    private CompletionStage<@Nullable Row> read(Key key) {
        return call.begin(store).readAndEnd(List.of(Read.unlocked(key)), 0).thenApply(rows -> rows.get(0));
    }

    private CompletionStage<List<Row>> scan(Table table, long partition, @Nullable Object after, int limit) {
        StoreTransaction look = call.begin(store);
        return look.scan(new Scan(table, partition, after, limit)).whenComplete((rows, error) -> look.abort());
    }

    /** Returns the snapshot's own directory, under the snapshot's name. */
    CompletionStage<@Nullable INode> top() {
        return read(Version.key(directoryId, Version.TOP, number))
                .thenApply(row -> row == null ? null : Version.of(row).node().withLocation(directoryId, name));
    }

    /** Returns what a name of a directory stands for; null for nothing. */
    CompletionStage<@Nullable INode> look(long parentId, String child) {
        return read(Rows.inodeKey(parentId, child)).thenCompose(row -> {
            INode current = row == null ? null : Rows.inode(row).withMark(null);
            if (current != null && current.stamp() < number) {
                return CompletableFuture.completedFuture(current);
            }
            return scan(Schema.VERSIONS, parentId, Version.before(child, number), 1)
                    .thenApply(rows -> {
                        Version version = rows.isEmpty() ? null : Version.of(rows.get(0));
                        return version != null && version.node().name().equals(child) && version.isSeenBy(number)
                                ? version.node()
                                : null;
                    });
        });
    }

    /** Returns what a directory counts. As in HDFS, the snapshot's own was last modified when the snapshot was made. */
    CompletionStage<DirectoryVersion> counts(long id) {
        return call.begin(store)
                .readAndEnd(List.of(Read.unlocked(Rows.statsKey(id)), Read.unlocked(Rows.totalsKey(id))), 0)
                .thenCompose(now -> scan(Schema.DIRECTORY_VERSIONS, id, number - 1, 1)
                        .thenApply(rows -> rows.isEmpty()
                                ? new DirectoryVersion(Rows.stats(now.get(0)), Rows.totals(now.get(1)))
                                : DirectoryVersion.of(rows.get(0))))
                .thenApply(counts -> id == directoryId ? counts.modified(madeMillis) : counts);
    }

    /** Returns the snapshots of the directory. */
    CompletionStage<List<Row>> snapshots() {
        return scan(Schema.SNAPSHOTS, directoryId, null, Scan.MAX_LIMIT);
    }

    /** Returns the directories of all snapshots, by the names of those. */
    CompletionStage<Slice> tops(String after, int limit) {
        return scan(Schema.SNAPSHOTS, directoryId, after.isEmpty() ? null : after, limit + 1)
                .thenCompose(rows -> {
                    List<Row> shown = rows.subList(0, Math.min(limit, rows.size()));
                    return tops(shown, new ArrayList<>(), 0).thenApply(tops -> new Slice(tops, rows.size() > limit));
                });
    }

    private CompletionStage<List<Seen>> tops(List<Row> rows, List<Seen> found, int next) {
        if (next == rows.size()) {
            return CompletableFuture.completedFuture(found);
        }
        Row row = rows.get(next);
        SnapshotView view = of(row);
        return view.top().thenCompose(top -> {
            if (top != null) {
                found.add(new Seen(top, view));
            }
            return tops(rows, found, next + 1);
        });
    }

    /** Returns the children of a directory after a name. */
    CompletionStage<Slice> children(long parentId, String after, int limit) {
        return more(parentId, after, limit, new ArrayList<>()).thenApply(nodes -> slice(nodes, limit));
    }

    private Slice slice(List<INode> nodes, int limit) {
        List<Seen> seen = new ArrayList<>();
        int left = PageBytes.MAX;
        for (INode node : nodes) {
            left -= PageBytes.of(node);
            if (left < 0 || seen.size() == limit) {
                return new Slice(seen, true);
            }
            seen.add(new Seen(node, this));
        }
        return new Slice(seen, false);
    }

    /** Reads stretches of names until there are more than wanted, or no more. */
    private CompletionStage<List<INode>> more(long parentId, String after, int limit, List<INode> found) {
        return scan(Schema.INODES, parentId, after.isEmpty() ? null : after, PAGE)
                .thenCompose(rows -> {
                    boolean last = rows.size() < PAGE;
                    String end = last ? "" : rows.get(PAGE - 1).key().string(1);
                    NavigableMap<String, INode> seen = new TreeMap<>(Utf8Order::compare);
                    for (Row row : rows) {
                        INode node = Rows.inode(row).withMark(null);
                        if (node.stamp() < number) {
                            seen.put(node.name(), node);
                        }
                    }
                    return versions(parentId, Version.behind(after), last ? null : end, seen)
                            .thenCompose(done -> {
                                found.addAll(seen.values());
                                return last || found.size() > limit
                                        ? CompletableFuture.completedFuture(found)
                                        : more(parentId, end, limit, found);
                            });
                });
    }

    /**
     * Adds the versions that the snapshot sees.
     *
     * @param after the second part of a key
     * @param end the last name of interest; null for all
     */
    private CompletionStage<Void> versions(
            long parentId, String after, @Nullable String end, NavigableMap<String, INode> seen) {
        return scan(Schema.VERSIONS, parentId, after, PAGE).thenCompose(rows -> {
            for (Row row : rows) {
                Version version = Version.of(row);
                String child = version.node().name();
                if (end != null && Utf8Order.compare(child, end) > 0) {
                    return CompletableFuture.completedFuture(null);
                }
                if (version.isSeenBy(number) && !child.equals(Version.TOP)) {
                    seen.put(child, version.node());
                }
            }
            return rows.size() < PAGE
                    ? CompletableFuture.completedFuture(null)
                    : versions(parentId, rows.get(PAGE - 1).key().string(1), end, seen);
        });
    }

    /** Opens a file, whose content has only become longer since. */
    CompletionStage<Reply> open(Call reader, BlockReads blocks, INode file, long offset) {
        if (file.content() == INode.Content.INLINE) {
            return content(file);
        }
        if (!file.content().isInBlocks() || file.size() == 0) {
            return CompletableFuture.completedFuture(CachedReads.opened(file, null));
        }
        return scan(Schema.BLOCKS, file.id(), null, 1).thenCompose(rows -> {
            StoredBlock first = rows.isEmpty() ? null : StoredBlock.of(rows.get(0));
            // Its first block, which was reported later, took its content over, and that is kept.
            boolean head = first == null || first.state() != StoredBlock.State.WRITTEN || first.shown() > file.size();
            return head ? content(file) : blocks.open(reader, file, offset);
        });
    }

    private CompletionStage<Reply> content(INode file) {
        return read(Rows.contentKey(file.id())).thenApply(row -> {
            if (row == null) {
                throw Restart.changed("the file");
            }
            return new Reply.Opened(Attributes.of(file, DirectoryStats.EMPTY), SmallFiles.shown(file, row.bytes(0)));
        });
    }
}
