package io.lambdafs.functions.namenode.snapshot;

import io.lambdafs.functions.namenode.block.Locations;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Looks which directories may have snapshots, and which have some. Used under the mark of the directory that it depends on:
 * none of this changes there. Thread-safe.
 */
public final class Snapshotted {
    private static final int PAGE = 1_000;
    /** More than any file system needs, and few enough to be listed at once. */
    static final int MOST = 10_000;

    private final MetadataStore store;
    private final Locations locations;

    public Snapshotted(MetadataStore store, Locations locations) {
        this.store = store;
        this.locations = locations;
    }

    private CompletionStage<List<Row>> scan(
            long epoch, Table table, long partition, @Nullable Object after, int limit) {
        StoreTransaction look = store.begin(epoch);
        return look.scan(new Scan(table, partition, after, limit)).whenComplete((rows, error) -> look.abort());
    }

    /** Refuses a directory that has snapshots. */
    public CompletionStage<Void> checkNone(long epoch, long directoryId, FsPath path) {
        return scan(epoch, Schema.SNAPSHOTS, directoryId, null, 1).thenAccept(found -> {
            if (!found.isEmpty()) {
                throw refusal("The directory " + path
                        + " has snapshot(s). Please redo the operation after removing all the snapshots.");
            }
        });
    }

    /** Returns whether a directory has one snapshot at most. */
    public CompletionStage<Boolean> isLast(long epoch, long directoryId) {
        return scan(epoch, Schema.SNAPSHOTS, directoryId, null, 2).thenApply(found -> found.size() < 2);
    }

    /** Refuses a directory that has as many snapshots as it may have. */
    public CompletionStage<Void> checkRoom(long epoch, long directoryId) {
        return scan(epoch, Schema.SNAPSHOTS, directoryId, null, MOST).thenAccept(found -> {
            if (found.size() == MOST) {
                throw refusal("Failed to add snapshot: there are already " + MOST
                        + " snapshot(s) and the max snapshot limit is " + MOST);
            }
        });
    }

    /** Refuses a directory above or below which another one may have snapshots. */
    public CompletionStage<Void> checkNested(long epoch, FsPath path) {
        return each(epoch, null, (id, other) -> {
            if (other.isAtOrBelow(path) && !other.equals(path)) {
                throw refusal("Nested snapshottable directories not allowed: path=" + path + ", the subdirectory "
                        + other + " is already a snapshottable directory.");
            }
            if (path.isAtOrBelow(other) && !other.equals(path)) {
                throw refusal("Nested snapshottable directories not allowed: path=" + path + ", the ancestor " + other
                        + " is already a snapshottable directory.");
            }
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Refuses to remove or move a tree in which a directory has snapshots. */
    public CompletionStage<Void> checkMovable(long epoch, FsPath path) {
        return each(
                epoch,
                null,
                (id, other) -> !other.isAtOrBelow(path)
                        ? CompletableFuture.completedFuture(null)
                        : scan(epoch, Schema.SNAPSHOTS, id, null, 1).thenAccept(found -> {
                            if (!found.isEmpty()) {
                                throw refusal("The directory " + other + " cannot be deleted since " + other
                                        + " is snapshottable and already has snapshots");
                            }
                        }));
    }

    private static FsException refusal(String why) {
        return new FsException(ErrorCode.SNAPSHOT_REFUSED, why);
    }

    private interface Check {
        CompletionStage<Void> check(long id, FsPath path);
    }

    private CompletionStage<Void> each(long epoch, @Nullable Object after, Check check) {
        return scan(epoch, Schema.SNAPSHOTTABLES, 0, after, PAGE).thenCompose(rows -> {
            Deque<Row> left = new ArrayDeque<>(rows);
            CompletionStage<Void> all = next(epoch, left, check);
            return rows.size() < PAGE
                    ? all
                    : all.thenCompose(
                            done -> each(epoch, rows.get(rows.size() - 1).key().part(1), check));
        });
    }

    private CompletionStage<Void> next(long epoch, Deque<Row> left, Check check) {
        Row row = left.poll();
        if (row == null) {
            return CompletableFuture.completedFuture(null);
        }
        long id = row.key().int64(1);
        return locations
                .pathOf(epoch, id)
                .thenCompose(
                        path -> path == null ? CompletableFuture.<Void>completedFuture(null) : check.check(id, path))
                .thenCompose(done -> next(epoch, left, check));
    }
}
