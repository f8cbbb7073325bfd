package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which reads need the disk, in a store many times as large as its cache. */
class RocksRowsTest {
    private static final int ROWS = 600_000;
    private static final int AT_ONCE = 20_000;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private RocksRows rows;

    @BeforeEach
    void fill() {
        RocksSettings settings = RocksSettings.of(folder)
                .withFsync(false)
                .withCacheBytes(2 << 20)
                .withMemtableBytes(256 << 20);
        rows = new RocksRows(scheduler, settings, CommitObserver.NONE);
        for (int from = 0; from < ROWS; from += AT_ONCE) {
            List<Mutation> some = new ArrayList<>(AT_ONCE);
            for (int i = from; i < from + AT_ONCE; i++) {
                some.add(new Mutation.Put(new Row(key(i), (long) i)));
            }
            rows.apply(some, Long.MAX_VALUE).toCompletableFuture().join();
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
        for (int i = 0; i < ROWS; i += ROWS / 50) {
            readAtOnce(key(i), true);
            assertThat(readAtOnce(key(i), true)).as("row %s again", i).isTrue();
            Key missing = Schema.SEQUENCES.key("nothing-" + i);
            readAtOnce(missing, false);
            assertThat(readAtOnce(missing, false)).as("no row %s again", i).isTrue();
        }
    }
}
