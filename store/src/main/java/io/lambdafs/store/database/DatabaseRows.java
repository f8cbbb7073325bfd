package io.lambdafs.store.database;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.GroupCommit;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.engine.RowEngine;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A row engine on a database. Reads run on a thread pool, commits on one thread. Thread-safe. */
final class DatabaseRows implements RowEngine {
    /** Overhead charged per mutation, because databases limit the operations of one transaction. */
    private static final int OPERATION_BYTES = 512;

    private static final long RENEWAL_NANOS = 1_000_000_000L;
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(20);

    private final Database database;
    private final DatabaseCommits writer;
    private final GroupCommit<List<Mutation>> commits;
    private final ReadPool readers;
    private final GatheredReads reads;
    private final int readAttempts;
    private final Chore renewal;

    /**
     * Takes ownership of the database; blocks until it is available. Closes the database on close, and if it cannot be
     * taken.
     *
     * @param readers number of reader threads
     */
    DatabaseRows(Scheduler scheduler, Database database, int readers, CommitObserver observer) {
        this.database = database;
        try {
            writer = new DatabaseCommits(scheduler, database, WRITE_PATIENCE);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        this.commits = new GroupCommit<>(scheduler, writer, observer);
        this.readers = new ReadPool(readers, "the database");
        this.reads = new GatheredReads(this.readers, keys -> answer(() -> database.read(keys)));
        // A pool does not notice that an idle connection was lost, and hands each out once.
        this.readAttempts = readers + 2;
        renewal = Chore.every(RENEWAL_NANOS, scheduler, this::renew);
        renewal.start();
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
        return keys.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : reads.read(keys).thenApply(found -> inOrder(keys, found));
    }

    private static List<@Nullable Row> inOrder(List<Key> keys, Map<Key, Row> found) {
        List<@Nullable Row> rows = new ArrayList<>(keys.size());
        keys.forEach(key -> rows.add(key.equals(ConfirmedLeases.KEY) ? ConfirmedLeases.ROW : found.get(key)));
        return rows;
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        return readers.submit(() -> answer(() -> database.scan(scan)));
    }

    /** A query to the database. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws DatabaseLostException;
    }

    /** Runs a query, retrying lost connections. */
    private <T> T answer(Question<T> question) {
        for (int attempt = 1; ; attempt++) {
            demandSettled();
            try {
                T answer = question.ask();
                // Data read after the lease expired may be older than another process's writes.
                demandSettled();
                return answer;
            } catch (DatabaseLostException e) {
                if (attempt >= readAttempts) {
                    throw e.reason();
                }
            }
        }
    }

    private void demandSettled() {
        if (!writer.isSettled()) {
            throw FsException.unavailable("the store has lost its database; check that the database runs");
        }
    }

    @Override
    public CompletionStage<RowSnapshot> snapshot() {
        return readers.submit(() -> {
            RowSnapshot taken = database.snapshot(readers);
            try {
                // Checked afterwards: this process owned the database while the snapshot was taken.
                demandSettled();
                return whileSettled(taken);
            } catch (FsException e) {
                taken.close();
                throw e;
            }
        });
    }

    /** Guards a snapshot assembled from this process's changes, which misses those of another process. */
    private RowSnapshot whileSettled(RowSnapshot taken) {
        return new RowSnapshot() {
            @Override
            public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
                return taken.page(table, after).thenApply(rows -> {
                    demandSettled();
                    return rows;
                });
            }

            @Override
            public void close() {
                taken.close();
            }
        };
    }

    @Override
    public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
        return commits.submit(mutations, bytes(mutations), Mutation.grow(mutations), deadlineMillis);
    }

    private static long bytes(List<Mutation> mutations) {
        long bytes = 0;
        for (Mutation mutation : mutations) {
            bytes += OPERATION_BYTES;
            if (mutation instanceof Mutation.Put put) {
                for (int i = 0; i < put.key().table().valueSize(); i++) {
                    bytes += put.row().value(i) instanceof byte[] content ? content.length : Long.BYTES;
                }
            }
        }
        return bytes;
    }

    @Override
    public void expectChanges() {
        commits.expect();
    }

    /** Returns what prevents commits; empty if nothing does. */
    Optional<String> trouble() {
        return writer.isSettled()
                ? commits.trouble()
                : Optional.of("the store has lost its database, and tries with every commit to take it anew");
    }

    /** Renews the lease when there are no commits. */
    private CompletionStage<?> renew() {
        if (writer.sinceCommit() > RENEWAL_NANOS) {
            commits.submit(List.of(), 0, false, Long.MAX_VALUE);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        renewal.close();
        commits.close();
        readers.close();
        database.close();
    }
}
