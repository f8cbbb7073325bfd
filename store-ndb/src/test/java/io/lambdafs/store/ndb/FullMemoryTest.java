package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An NDB whose data memory is full. */
@Tag("once")
@Tag("slow")
class FullMemoryTest {
    private static final int LEAST_MB = 64;
    private static final int ROW_BYTES = 500_000;

    private static Row row(int number) {
        byte[] content = new byte[ROW_BYTES];
        content[0] = (byte) number;
        return new Row(Schema.SMALL_FILES.key((long) number, 1L), content);
    }

    private static void commit(DatabaseStore store, Mutation mutation) {
        try {
            store.begin(0)
                    .commit(List.of(mutation), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    private static @Nullable Row read(DatabaseStore store, Row row) {
        return store.begin(0)
                .readAndEnd(List.of(Read.unlocked(row.key())), 0)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join()
                .get(0);
    }

    @Test
    void shouldSayThatItIsFullAndLoseNothing() throws Exception {
        ThreadScheduler scheduler = new ThreadScheduler();
        try (TestNdb ndb = TestNdb.start(1, LEAST_MB);
                DatabaseStore store =
                        new DatabaseStore(scheduler, StoreLimits.defaults(), ndb.database(), 4, CommitObserver.NONE)) {
            int acknowledged = 0;
            ErrorCode refused = null;
            while (refused == null) {
                try {
                    commit(store, new Mutation.Put(row(acknowledged)));
                    acknowledged++;
                } catch (FsException e) {
                    refused = e.code();
                }
            }
            assertThat(refused).isEqualTo(ErrorCode.STORE_FULL);
            assertThat(acknowledged).isGreaterThan(20);
            commit(store, new Mutation.Delete(row(0).key()));
            assertThat(read(store, row(0))).isNull();
            for (int i = 1; i < acknowledged; i++) {
                assertThat(read(store, row(i))).as("row %d", i).isEqualTo(row(i));
            }
            assertThat(read(store, row(acknowledged))).as("what was refused").isNull();
            commit(store, new Mutation.Put(row(0)));
            assertThat(read(store, row(0))).isEqualTo(row(0));
        } finally {
            scheduler.close();
        }
    }
}
