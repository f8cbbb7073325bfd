package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many at once: what they see and leave could have happened one after the other. */
interface ConcurrencyContract extends StoreContract {
    int ACCOUNTS = 6;
    long OPENING = 1_000;

    private static String account(int i) {
        return "account-" + i;
    }

    private static long total(List<Row> rows) {
        return rows.stream().mapToLong(row -> row.int64(0)).sum();
    }

    private List<Read> accounts(LockMode mode) {
        return IntStream.range(0, ACCOUNTS)
                .mapToObj(i -> new Read(sequence(account(i)), mode))
                .toList();
    }

    private void open() {
        commit(IntStream.range(0, ACCOUNTS)
                .mapToObj(i -> put(account(i), OPENING))
                .toArray(Mutation[]::new));
    }

    /** Moves money between two accounts, reading them in one call or, asking for deadlocks, in two. */
    private void transfer(Random random, AtomicInteger conflicts) {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        long amount = random.nextInt(100);
        StoreTransaction transaction = begin();
        try {
            Row source;
            Row target;
            if (random.nextBoolean()) {
                List<Row> rows = read(
                        transaction, Read.exclusive(sequence(account(from))), Read.exclusive(sequence(account(to))));
                source = rows.get(0);
                target = rows.get(1);
            } else {
                source = read(transaction, Read.exclusive(sequence(account(from))))
                        .get(0);
                target =
                        read(transaction, Read.exclusive(sequence(account(to)))).get(0);
            }
            if (random.nextInt(10) == 0) {
                transaction.abort();
                return;
            }
            await(transaction.commit(
                    List.of(
                            put(account(from), source.int64(0) - amount),
                            put(account(to), target.int64(0) + amount),
                            StoreContract.add("transfers", 1)),
                    Long.MAX_VALUE));
        } catch (FsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.STORE_CONFLICT);
            conflicts.incrementAndGet();
        }
    }

    private void audit(LockMode mode, AtomicInteger conflicts) {
        StoreTransaction transaction = begin();
        try {
            assertThat(total(await(transaction.read(accounts(mode), 0)))).isEqualTo(ACCOUNTS * OPENING);
        } catch (FsException e) {
            assertThat(mode).isNotEqualTo(LockMode.NONE);
            assertThat(e.code()).isEqualTo(ErrorCode.STORE_CONFLICT);
            conflicts.incrementAndGet();
        }
        transaction.abort();
    }

    @Test
    default void shouldConserveTheTotalOfTransfers() {
        open();
        AtomicInteger conflicts = new AtomicInteger();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            int seed = worker;
            workers.add(runThread(() -> {
                Random random = new Random(seed);
                for (int i = 0; i < 150; i++) {
                    transfer(random, conflicts);
                }
            }));
        }
        workers.add(runThread(() -> {
            for (int i = 0; i < 100; i++) {
                LockMode mode = i % 2 == 0 ? LockMode.NONE : LockMode.SHARED;
                audit(mode, conflicts);
            }
        }));
        workers.forEach(StoreContract::await);
        audit(LockMode.NONE, new AtomicInteger());
        assertThat(get(sequence("transfers"))).isNotNull();
    }

    @Test
    default void shouldScanAndReadAtOneMoment() {
        // Every commit writes the same number everywhere: whoever sees two numbers has seen half a commit.
        int rows = 50;
        Runnable writer = () -> {
            for (long round = 1; round <= 100; round++) {
                long value = round;
                commit(IntStream.range(0, rows)
                        .mapToObj(i -> new Mutation.Put(StoreContract.operation("/" + i, value)))
                        .toArray(Mutation[]::new));
            }
        };
        CompletableFuture<Void> writing = runThread(writer);
        List<Read> reads = IntStream.range(0, rows)
                .mapToObj(i -> Read.unlocked(Schema.SUBTREE_OPERATIONS.key(0L, "/" + i)))
                .toList();
        boolean last = false;
        while (!last) {
            last = writing.isDone();
            StoreTransaction transaction = begin();
            assertThat(await(transaction.read(reads, 0)).stream()
                            .map(row -> row == null ? 0 : row.int64(0))
                            .distinct())
                    .hasSize(1);
            assertThat(await(transaction.scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, null, rows))).stream()
                            .map(row -> row.int64(0))
                            .distinct())
                    .hasSizeLessThanOrEqualTo(1);
            transaction.abort();
        }
        await(writing);
    }

    /** As a file and its content, or a directory and its children: whoever sees two numbers would take one for the other's. */
    @Test
    default void shouldReadTablesAtOneMoment() {
        CompletableFuture<Void> writing = runThread(() -> {
            for (long round = 1; round <= 100; round++) {
                commit(inTables(round).stream().map(Mutation.Put::new).toArray(Mutation[]::new));
            }
        });
        List<Read> reads =
                inTables(0).stream().map(row -> Read.unlocked(row.key())).toList();
        boolean last = false;
        while (!last) {
            last = writing.isDone();
            StoreTransaction transaction = begin();
            List<Row> rows = last ? await(transaction.readAndEnd(reads, 0)) : await(transaction.read(reads, 0));
            transaction.abort();
            if (rows.get(0) != null) {
                assertThat(rows).isEqualTo(inTables(rows.get(0).int64(0)));
            } else {
                assertThat(rows).containsOnlyNulls();
            }
        }
        await(writing);
    }

    private static List<Row> inTables(long value) {
        return List.of(
                StoreContract.number("n", value),
                StoreContract.operation("/n", value),
                new Row(Schema.SLOTS.key("client", 0L), value, new byte[] {(byte) value}, 0L),
                new Row(Schema.SETTINGS.key("n"), Long.toString(value)),
                new Row(Schema.DIRECTORY_STATS.key(7L), value, -value));
    }

    @Test
    default void shouldCountUnderOneContendedLock() {
        int workers = 4;
        int rounds = 50;
        List<CompletableFuture<Void>> counting = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            counting.add(runThread(() -> {
                for (int i = 0; i < rounds; i++) {
                    StoreTransaction transaction = begin();
                    Row row = read(transaction, Read.exclusive(sequence("n"))).get(0);
                    await(transaction.commit(List.of(put("n", row == null ? 1 : row.int64(0) + 1)), Long.MAX_VALUE));
                }
            }));
        }
        counting.forEach(StoreContract::await);
        assertThat(get(sequence("n"))).isEqualTo(StoreContract.number("n", (long) workers * rounds));
    }

    private static CompletableFuture<Void> runThread(Runnable body) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                        done.complete(null);
                    } catch (Throwable t) {
                        done.completeExceptionally(t);
                    }
                },
                "contract-worker");
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
