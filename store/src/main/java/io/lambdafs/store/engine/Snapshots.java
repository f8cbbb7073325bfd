package io.lambdafs.store.engine;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The open snapshots of a store, by name. The page after the one that was asked for is read ahead, one per snapshot. A
 * snapshot idle for longer than the limit is closed. Thread-safe.
 */
final class Snapshots {
    private static final long LOOK_NANOS = RowSnapshot.IDLE_LIMIT.toNanos() / 10;

    private final Scheduler scheduler;
    private final RowEngine engine;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private long opened;
    private int opening;
    private boolean watching;
    private boolean closed;

    Snapshots(Scheduler scheduler, RowEngine engine) {
        this.scheduler = scheduler;
        this.engine = engine;
    }

    /** A page that is read before it is asked for. */
    private record Ahead(Table table, Key after, CompletionStage<List<Row>> rows) {
        boolean answers(SnapshotScan scan) {
            return table.equals(scan.table()) && Objects.equals(after, scan.after());
        }
    }

    /** A snapshot and the tail of its queue of page reads, which run sequentially. */
    private static final class Open {
        final RowSnapshot snapshot;
        CompletionStage<?> last = CompletableFuture.completedFuture(null);
        /** Used by one page read at a time. */
        @Nullable
        Ahead ahead;

        long usedAt;

        Open(RowSnapshot snapshot, long now) {
            this.snapshot = snapshot;
            this.usedAt = now;
        }

        /** Reads a page; the previous read has ended, except for reading ahead. */
        CompletionStage<List<Row>> read(SnapshotScan scan) {
            Ahead before = ahead;
            ahead = null;
            if (before == null) {
                return ask(scan.table(), scan.after());
            }
            return before.answers(scan)
                    ? before.rows()
                    : before.rows()
                            .handle((unwanted, failure) -> ask(scan.table(), scan.after()))
                            .thenCompose(rows -> rows);
        }

        private CompletionStage<List<Row>> ask(Table table, @Nullable Key after) {
            try {
                return snapshot.page(table, after);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        void readAhead(Table table, List<Row> page) {
            if (!page.isEmpty()) {
                Key after = page.get(page.size() - 1).key();
                ahead = new Ahead(table, after, ask(table, after));
            }
        }

        /** Reads a page, and the next one ahead. */
        CompletionStage<List<Row>> page(SnapshotScan scan) {
            return read(scan).thenApply(rows -> {
                readAhead(scan.table(), rows);
                return rows;
            });
        }

        /** Adds rows page by page, each while the next one is read; of the last page, what is too much waits for the next call. */
        CompletionStage<RowSum> sum(SnapshotScan scan, int most, RowDigest digest) {
            return read(scan).thenCompose(rows -> {
                int wanted = (int) (most - digest.rows());
                if (rows.size() > wanted) {
                    rows.subList(0, wanted).forEach(digest::add);
                    Key after = rows.get(wanted - 1).key();
                    ahead = new Ahead(
                            scan.table(), after, CompletableFuture.completedFuture(rows.subList(wanted, rows.size())));
                    return CompletableFuture.completedFuture(digest.sum());
                }
                readAhead(scan.table(), rows);
                rows.forEach(digest::add);
                if (rows.isEmpty() || rows.size() == wanted) {
                    return CompletableFuture.completedFuture(digest.sum());
                }
                Key after = rows.get(rows.size() - 1).key();
                return sum(new SnapshotScan(scan.snapshot(), scan.table(), after), most, digest);
            });
        }

        void close() {
            last.whenComplete((page, failure) -> {
                Ahead unwanted = ahead;
                if (unwanted == null) {
                    snapshot.close();
                } else {
                    unwanted.rows().whenComplete((rows, failed) -> snapshot.close());
                }
            });
        }
    }

    CompletionStage<String> open() {
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(FsException.unavailable("the store is closing; try again later"));
            }
            if (open.size() + opening >= RowSnapshot.MAX_OPEN) {
                return CompletableFuture.failedFuture(FsException.unavailable("the store has " + RowSnapshot.MAX_OPEN
                        + " snapshots open already; one that nobody reads is closed after "
                        + RowSnapshot.IDLE_LIMIT.toMinutes() + " minutes"));
            }
            opening++;
        }
        return engine.snapshot().handle((snapshot, failure) -> {
            synchronized (this) {
                opening--;
                if (failure != null) {
                    throw FsException.of(failure);
                }
                return opened(snapshot);
            }
        });
    }

    private String opened(RowSnapshot snapshot) {
        if (closed) {
            snapshot.close();
            throw FsException.unavailable("the store is closing; try again later");
        }
        // Unique to this run of the store: a later run has other snapshots.
        String name = scheduler.currentTimeMillis() + "-" + ++opened;
        if (!watching) {
            scheduler.schedule(LOOK_NANOS, this::closeIdle);
            watching = true;
        }
        open.put(name, new Open(snapshot, scheduler.nanoTime()));
        return name;
    }

    CompletionStage<List<Row>> page(SnapshotScan scan) {
        return inTurn(scan.snapshot(), open -> open.page(scan));
    }

    CompletionStage<RowSum> sum(SnapshotScan scan, int most) {
        if (most < 1 || most > RowSnapshot.MAX_SUMMED) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("a sum of " + most + " rows"));
        }
        return inTurn(scan.snapshot(), open -> open.sum(scan, most, new RowDigest()));
    }

    /** Reads once all reads of the snapshot that came before have ended. */
    private <T> CompletionStage<T> inTurn(String name, Function<Open, CompletionStage<T>> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletionStage<?> before;
        Open found;
        synchronized (this) {
            found = open.get(name);
            if (found == null) {
                return CompletableFuture.failedFuture(gone(name));
            }
            found.usedAt = scheduler.nanoTime();
            before = found.last;
            found.last = answer;
        }
        before.whenComplete((done, failed) -> read.apply(found).whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(FsException.unwrap(failure));
            }
        }));
        return answer;
    }

    private static FsException gone(String name) {
        return new FsException(
                ErrorCode.NOT_FOUND,
                "the store has no snapshot " + name + ": it was closed, or not read for "
                        + RowSnapshot.IDLE_LIMIT.toMinutes()
                        + " minutes, or the store was restarted; begin again with a new one");
    }

    CompletionStage<Void> close(String name) {
        Open found;
        synchronized (this) {
            found = open.remove(name);
        }
        if (found != null) {
            found.close();
        }
        return CompletableFuture.completedFuture(null);
    }

    private void closeIdle() {
        List<Open> idle = new ArrayList<>();
        synchronized (this) {
            long now = scheduler.nanoTime();
            open.values().removeIf(each -> {
                boolean unused = now - each.usedAt >= RowSnapshot.IDLE_LIMIT.toNanos();
                return unused && idle.add(each);
            });
            watching = !open.isEmpty();
            if (watching) {
                Scheduler.Essential again = this::closeIdle;
                scheduler.schedule(LOOK_NANOS, again);
            }
        }
        idle.forEach(Open::close);
    }

    /** Closes all snapshots and opens no more. */
    void close() {
        List<Open> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(open.values());
            open.clear();
        }
        all.forEach(Open::close);
    }
}
