package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.database.FullStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An NDB whose data memory is full. */
@Tag("slow")
class FullMemoryTest {
    private static final int LEAST_MB = 64;
    private static final int ROW_BYTES = 500_000;

    @Test
    void shouldSayThatItIsFullAndLoseNothing() throws Exception {
        ThreadScheduler scheduler = new ThreadScheduler();
        try (TestNdb ndb = TestNdb.start(1, LEAST_MB);
                DatabaseStore store =
                        new DatabaseStore(scheduler, StoreLimits.defaults(), ndb.database(), 4, CommitObserver.NONE)) {
            FullStore full = new FullStore(store, ROW_BYTES);
            assertThat(full.assertSaysThatItIsFullAndLosesNothing()).isGreaterThan(20);
            full.assertTakesARowAgain();
        } finally {
            scheduler.close();
        }
    }
}
