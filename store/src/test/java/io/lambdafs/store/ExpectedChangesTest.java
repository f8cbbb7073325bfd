package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.RowEngine;
import io.lambdafs.store.engine.StoreLimits;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a store tells its engine that changes are likely. */
class ExpectedChangesTest {
    private static final Key ROW = Schema.SEQUENCES.key("row");

    private static final class Engine implements RowEngine {
        int expected;

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
            return CompletableFuture.completedFuture(Collections.nCopies(keys.size(), null));
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void expectChanges() {
            expected++;
        }

        @Override
        public void close() {}
    }

    private final Engine engine = new Engine();
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final LockingStore store = new LockingStore(scheduler, StoreLimits.defaults(), engine);

    private int expectedAfter(Read... reads) {
        StoreTransaction transaction = store.begin(0);
        transaction.read(List.of(reads), 0);
        transaction.abort();
        return engine.expected;
    }

    @Test
    void shouldExpectChangesOfWhatIsLockedForThem() {
        assertThat(expectedAfter(Read.unlocked(ROW))).isZero();
        assertThat(expectedAfter(Read.shared(ROW))).isZero();
        assertThat(expectedAfter(Read.unlocked(ROW), Read.exclusive(Schema.SEQUENCES.key("other"))))
                .isEqualTo(1);
    }

    @Test
    void shouldExpectNothingBeforeTheLockIsHeld() {
        StoreTransaction first = store.begin(0);
        first.read(List.of(Read.exclusive(ROW)), 0);
        StoreTransaction second = store.begin(0);
        second.read(List.of(Read.exclusive(ROW)), 0);
        assertThat(engine.expected).isEqualTo(1);
        first.abort();
        scheduler.run();
        assertThat(engine.expected).isEqualTo(2);
        second.abort();
    }
}
