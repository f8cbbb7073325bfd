package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.engine.RowEngine;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stores and engines that have no snapshots say so, and what to use. */
class WithoutSnapshotsTest {
    private static final MetadataStore STORE = new MetadataStore() {
        @Override
        public StoreTransaction begin(long epoch) {
            throw new AssertionError();
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            throw new AssertionError();
        }

        @Override
        public void close() {}
    };

    private static final RowEngine ENGINE = new RowEngine() {
        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
            throw new AssertionError();
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            throw new AssertionError();
        }

        @Override
        public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
            throw new AssertionError();
        }

        @Override
        public void close() {}
    };

    private static void assertUnsupported(CompletionStage<?> stage) {
        FsException why = FsException.of(
                stage.handle((done, failure) -> failure).toCompletableFuture().join());
        assertThat(why.code()).isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(why).hasMessageContaining("backup");
    }

    @Test
    void shouldSayThatThereAreNone() {
        assertUnsupported(STORE.openSnapshot());
        assertUnsupported(STORE.scanSnapshot(new SnapshotScan("s", Schema.SEQUENCES, null)));
        assertUnsupported(STORE.closeSnapshot("s"));
        assertUnsupported(ENGINE.snapshot());
    }
}
