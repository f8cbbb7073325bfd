package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.engine.StoreLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Writers that a store is killed under, again and again, and what it must have of them afterwards: everything that it acknowledged and nothing
 * by halves. Each writer w counts: its n-th commit writes n to two rows and adds 1 to a sum of all writers. Confined to one thread.
 */
final class CountingLoad {
    private static final int WRITERS = 48;
    private static final Key SUM = Schema.SEQUENCES.key("sum");

    private final AtomicLongArray acknowledged = new AtomicLongArray(WRITERS);

    private static Key left(int writer) {
        return Schema.SEQUENCES.key("left-" + writer);
    }

    private static Key right(int writer) {
        return Schema.SLOTS.key("right", (long) writer);
    }

    /** Commits one after the other until one fails. */
    private static final class Writer {
        final MetadataStore store;
        final int number;
        final AtomicLongArray acknowledged;
        final AtomicLong total;
        final CountDownLatch ended;

        Writer(MetadataStore store, int number, AtomicLongArray acknowledged, AtomicLong total, CountDownLatch ended) {
            this.store = store;
            this.number = number;
            this.acknowledged = acknowledged;
            this.total = total;
            this.ended = ended;
        }

        void next() {
            long n = acknowledged.get(number) + 1;
            StoreTransaction transaction = store.begin(0);
            transaction
                    .read(List.of(Read.exclusive(left(number)), Read.exclusive(right(number))), 0)
                    .thenCompose(rows -> transaction.commit(
                            List.of(
                                    new Mutation.Put(new Row(left(number), n)),
                                    new Mutation.Put(new Row(right(number), n, new byte[200], 0L)),
                                    new Mutation.Merge(
                                            SUM, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)))),
                            Long.MAX_VALUE))
                    .whenComplete((done, thrown) -> {
                        if (thrown == null) {
                            acknowledged.set(number, n);
                            total.incrementAndGet();
                            next();
                        } else {
                            ended.countDown();
                        }
                    });
        }
    }

    /** Writes until so many commits are acknowledged, then kills the store. */
    void runUntilKilled(MetadataStore store, StoreProcess process, int enough) throws InterruptedException {
        AtomicLong total = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(WRITERS);
        for (int writer = 0; writer < WRITERS; writer++) {
            new Writer(store, writer, acknowledged, total, ended).next();
        }
        await().pollInterval(Duration.ofMillis(1)).until(() -> total.get() >= enough || ended.getCount() == 0);
        process.kill();
        ended.await();
        assertThat(total.get()).isGreaterThanOrEqualTo(enough);
    }

    /** Checks against what was acknowledged, and takes the one commit per writer that was under way for done if it was. */
    void verify(Scheduler scheduler, Path data, int round) {
        try (RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(data))) {
            long sum = 0;
            for (int writer = 0; writer < WRITERS; writer++) {
                long stored = number(store, left(writer));
                assertThat(number(store, right(writer)))
                        .as("round %d: both rows of writer %d", round, writer)
                        .isEqualTo(stored);
                assertThat(stored)
                        .as("round %d: writer %d", round, writer)
                        .isBetween(acknowledged.get(writer), acknowledged.get(writer) + 1);
                acknowledged.set(writer, stored);
                sum += stored;
            }
            assertThat(number(store, SUM)).as("round %d: the sum of all", round).isEqualTo(sum);
        }
    }

    private static long number(MetadataStore store, Key key) {
        StoreTransaction transaction = store.begin(0);
        Row row = transaction
                .read(List.of(Read.unlocked(key)), 0)
                .toCompletableFuture()
                .join()
                .get(0);
        transaction.abort();
        return row == null ? 0 : row.int64(0);
    }
}
