package io.lambdafs.store.database;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.engine.RowEngine;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a database, each of whose answers the caller waits for: simulated time stands still while the database works. Each commit is a group.
 * Confined to one thread.
 */
public final class WaitingRows implements RowEngine {
    private final Database database;
    private long group;
    private @Nullable Scheduler scheduler;

    /** Takes the database. */
    public WaitingRows(Database database) {
        this.database = database;
        this.group = asked(database::take);
    }

    /** Begins again with another time, by which deadlines pass. */
    public WaitingRows under(Scheduler another) {
        scheduler = another;
        return this;
    }

    /** Asks the database. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws DatabaseLostException;
    }

    private static <T> T asked(Question<T> question) {
        try {
            return question.ask();
        } catch (DatabaseLostException e) {
            throw e.reason();
        }
    }

    private static <T> CompletionStage<T> answer(Supplier<T> question) {
        try {
            return CompletableFuture.completedFuture(question.get());
        } catch (FsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
        return answer(() -> {
            Map<Key, Row> found = asked(() -> database.read(keys));
            List<@Nullable Row> rows = new ArrayList<>(keys.size());
            keys.forEach(key -> rows.add(key.equals(ConfirmedLeases.KEY) ? ConfirmedLeases.ROW : found.get(key)));
            return rows;
        });
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        return answer(() -> asked(() -> database.scan(scan)));
    }

    @Override
    public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
        return answer(() -> {
            if (scheduler.currentTimeMillis() > deadlineMillis) {
                throw new FsException(ErrorCode.DEADLINE_EXCEEDED, "the deadline of the commit has passed");
            }
            group++;
            asked(() -> database.write(group, List.of(mutations), new BitSet()));
            return null;
        });
    }

    /** All rows that are committed. */
    public List<Row> all() {
        List<Row> all = new ArrayList<>();
        try (ReadPool readers = new ReadPool(1, "the database")) {
            RowSnapshot snapshot = database.snapshot(readers);
            for (Table table : Schema.TABLES) {
                if (table.hasRows()) {
                    List<Row> page = List.of();
                    do {
                        Key after = page.isEmpty()
                                ? null
                                : page.get(page.size() - 1).key();
                        page = snapshot.page(table, after).toCompletableFuture().join();
                        all.addAll(page);
                    } while (!page.isEmpty());
                }
            }
            snapshot.close();
        }
        return all;
    }

    @Override
    public void close() {
        database.close();
    }
}
