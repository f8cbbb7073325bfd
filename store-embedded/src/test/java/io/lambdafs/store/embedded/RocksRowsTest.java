package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.CommitObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which reads need the disk, and what reads see of the writes beside them. */
class RocksRowsTest {
    private static final int ROWS = 600_000;
    private static final int AT_ONCE = 20_000;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private RocksSettings settings;
    private RocksRows rows;

    @BeforeEach
    void open() {
        settings = RocksSettings.of(folder)
                .withFsync(false)
                .withCacheBytes(2 << 20)
                .withMemtableBytes(256 << 20);
        rows = new RocksRows(scheduler, settings, CommitObserver.NONE);
    }

    private void fill() {
        for (int from = 0; from < ROWS; from += AT_ONCE) {
            List<Mutation> some = new ArrayList<>(AT_ONCE);
            for (int i = from; i < from + AT_ONCE; i++) {
                some.add(put(key(i), i));
            }
            apply(some);
        }
        // What the log holds comes back as one large table.
        rows.close();
        rows = new RocksRows(scheduler, settings, CommitObserver.NONE);
    }

    @AfterEach
    void close() {
        rows.close();
        scheduler.close();
    }

    private void apply(List<Mutation> mutations) {
        rows.apply(mutations, Long.MAX_VALUE).toCompletableFuture().join();
    }

    private static Mutation put(Key key, long value) {
        return new Mutation.Put(new Row(key, value));
    }

    private static Key key(int i) {
        return Schema.SEQUENCES.key("sequence-" + i);
    }

    /** Reads, and says whether it was answered at once. */
    private boolean readAtOnce(Key key, boolean there) {
        var read = rows.read(List.of(key)).toCompletableFuture();
        boolean atOnce = read.isDone();
        assertThat(read.join().get(0) != null).isEqualTo(there);
        return atOnce;
    }

    @Test
    void shouldKeepInMemoryWhatIsReadAgain() {
        fill();
        for (int i = 0; i < ROWS; i += ROWS / 50) {
            readAtOnce(key(i), true);
            assertThat(readAtOnce(key(i), true)).as("row %s again", i).isTrue();
            Key missing = Schema.SEQUENCES.key("nothing-" + i);
            readAtOnce(missing, false);
            assertThat(readAtOnce(missing, false)).as("no row %s again", i).isTrue();
        }
    }

    private List<@Nullable Long> read(Key... keys) {
        return rows.read(List.of(keys)).toCompletableFuture().join().stream()
                .map(row -> row == null ? null : row.int64(0))
                .toList();
    }

    @Test
    void shouldSeeTheLastWrite() {
        Key key = key(1);
        for (long value = 1; value <= 100; value++) {
            apply(List.of(put(key, value)));
            assertThat(read(key)).containsExactly(value);
            apply(List.of(new Mutation.Merge(key, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 7)))));
            assertThat(read(key)).containsExactly(value + 7);
            apply(List.of(new Mutation.Delete(key)));
            assertThat(read(key)).containsExactly((Long) null);
        }
    }

    @Test
    void shouldTellItsObserverWhatAGroupTook() {
        rows.close();
        List<Long> bytes = new CopyOnWriteArrayList<>();
        CommitObserver observer = new CommitObserver() {
            @Override
            public void group(int commits, long written, long nanos) {
                bytes.add(written);
            }

            @Override
            public void failed(int commits) {}
        };
        rows = new RocksRows(scheduler, settings, observer);
        apply(List.of(new Mutation.Put(new Row(Schema.SETTINGS.key("a"), "x".repeat(1_000)))));
        rows.close();

        assertThat(bytes)
                .singleElement()
                .satisfies(written -> assertThat(written).isBetween(1_000L, 1_100L));
    }

    /** Through the parts of a large table's filter and index. */
    @Test
    void shouldFindEveryRowBesideADeletedOne() {
        fill();
        apply(List.of(new Mutation.Delete(key(17))));
        for (int i = 0; i < 30_000; i++) {
            assertThat(read(key(i))).containsExactly(i == 17 ? null : Long.valueOf(i));
        }
    }

    @Test
    void shouldSeeWritesWholeAndInOrder() throws Exception {
        Key one = key(1);
        Key other = key(2);
        apply(List.of(put(one, 0), put(other, 0)));
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            try {
                for (long value = 1; value <= 20_000; value++) {
                    apply(List.of(put(one, value), put(other, value)));
                }
            } finally {
                ended.set(true);
            }
        });
        long seen = 0;
        while (!ended.get()) {
            List<@Nullable Long> both = read(one, other);
            assertThat(both.get(0)).isEqualTo(both.get(1)).isGreaterThanOrEqualTo(seen);
            seen = read(one).get(0);
            assertThat(seen).isGreaterThanOrEqualTo(both.get(0));
        }
        writer.get();
        assertThat(read(one, other)).containsExactly(20_000L, 20_000L);
    }

    /** Other rows repeatedly take the place of some rows in memory. */
    @Tag("slow")
    @Test
    void shouldSeeOneMomentFromWhereverARowComes() throws Exception {
        int others = 40_000;
        List<Mutation> all = new ArrayList<>();
        for (int i = 0; i < others; i++) {
            all.add(put(key(i), 0));
        }
        apply(all);
        Key[] together = {key(1), key(2), key(3)};
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            try {
                for (long value = 1; value <= 10_000; value++) {
                    // The third row by reading what it was.
                    Mutation added =
                            new Mutation.Merge(together[2], List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)));
                    apply(List.of(put(together[0], value), put(together[1], value), added));
                }
            } finally {
                ended.set(true);
            }
        });
        CompletableFuture<Void> passer = CompletableFuture.runAsync(() -> {
            for (int i = 4; !ended.get(); i = i + 1 < others ? i + 1 : 4) {
                assertThat(read(key(i))).containsExactly(0L);
            }
        });
        long seen = 0;
        while (!ended.get()) {
            List<@Nullable Long> now = read(together);
            assertThat(now.get(0)).isEqualTo(now.get(1)).isEqualTo(now.get(2)).isGreaterThanOrEqualTo(seen);
            seen = now.get(0);
        }
        writer.get();
        passer.get();
        assertThat(read(together)).containsExactly(10_000L, 10_000L, 10_000L);
    }
}
