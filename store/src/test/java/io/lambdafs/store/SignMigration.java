package io.lambdafs.store;

import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Migration;
import io.lambdafs.store.format.Upgrade;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A migration for tests: answered sequence numbers of one client, kept below zero before, are kept above zero after. Thread-safe. */
public final class SignMigration implements Migration {
    private static final String CLIENT = "migrated";
    private static final int STEP = 10;

    private final FormatLevel level;
    private final int stopAt;
    private final AtomicInteger steps = new AtomicInteger();

    /**
     * @param level that needs it
     * @param stopAt how many steps are decided before one never is
     */
    public SignMigration(FormatLevel level, int stopAt) {
        this.level = level;
        this.stopAt = stopAt;
    }

    /** Rows as they are before. */
    public static List<Mutation> before(int count) {
        return IntStream.rangeClosed(1, count)
                .<Mutation>mapToObj(i -> new Mutation.Put(row(Schema.SLOTS.key(CLIENT, (long) i), -i)))
                .toList();
    }

    private static Row row(Key key, long value) {
        return new Row(key, value, new byte[0], 0L);
    }

    /** How many rows are as they are after; fails where a row is neither. */
    public static long migrated(List<Row> rows) {
        List<Row> all = rows.stream()
                .filter(row -> row.key().table().equals(Schema.SLOTS)
                        && row.key().string(0).equals(CLIENT))
                .toList();
        if (all.stream().anyMatch(row -> Math.abs(row.int64(0)) != row.key().int64(1))) {
            throw new AssertionError("a row is of neither form: " + all);
        }
        return all.stream().filter(row -> row.int64(0) > 0).count();
    }

    /** Steps that were asked for. */
    public int steps() {
        return steps.get();
    }

    /** {@link Upgrade#raise} with this migration. */
    public CompletionStage<Upgrade.Plan> raise(MetadataStore store) {
        return Upgrade.raise(store, each -> each == level ? this : NONE);
    }

    @Override
    public CompletionStage<List<Mutation>> next(StoreTransaction transaction) {
        if (steps.getAndIncrement() == stopAt) {
            return new CompletableFuture<>();
        }
        return transaction
                .scan(new Scan(Schema.SLOTS, CLIENT, null, MAX_CHANGES))
                .thenApply(rows -> rows.stream()
                        .filter(row -> row.int64(0) < 0)
                        .limit(STEP)
                        .map(row -> Read.exclusive(row.key()))
                        .toList())
                .thenCompose(reads -> transaction.read(reads, 0))
                .thenApply(rows -> rows.stream()
                        .<Mutation>map(row -> new Mutation.Put(row(row.key(), -row.int64(0))))
                        .toList());
    }
}
