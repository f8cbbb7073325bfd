package io.lambdafs.store.engine;

import static io.lambdafs.store.StoreContract.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The page after the one that was asked for is read ahead, and no two are read at once. */
class SnapshotReadAheadTest {
    private static final Table TABLE = Schema.SEQUENCES;

    private final Pages pages = new Pages();
    private final Snapshots snapshots = new Snapshots(new ManualScheduler(1), pages);
    private final String name = await(snapshots.open());

    /** A snapshot whose pages the test answers. */
    private static final class Pages implements RowEngine, RowSnapshot {
        final List<@Nullable Key> asked = new ArrayList<>();
        final List<CompletableFuture<List<Row>>> answers = new ArrayList<>();
        boolean throwing;
        boolean closed;

        @Override
        public CompletionStage<RowSnapshot> snapshot() {
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
            assertThat(answers).as("one at a time").allMatch(CompletableFuture::isDone);
            asked.add(after);
            if (throwing) {
                throw new IllegalStateException("no disk");
            }
            answers.add(new CompletableFuture<>());
            return answers.get(answers.size() - 1);
        }

        void answer(Row... rows) {
            answers.get(answers.size() - 1).complete(List.of(rows));
        }

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Row row(String name) {
        return new Row(TABLE.key(name), 1L);
    }

    private CompletableFuture<List<Row>> ask(@Nullable Row after) {
        return snapshots
                .page(new SnapshotScan(name, TABLE, after == null ? null : after.key()))
                .toCompletableFuture();
    }

    @Test
    void shouldReadTheNextPageBeforeItIsAskedFor() {
        CompletableFuture<List<Row>> first = ask(null);
        pages.answer(row("a"));
        assertThat(first).isCompletedWithValue(List.of(row("a")));
        assertThat(pages.asked).containsExactly(null, row("a").key());

        CompletableFuture<List<Row>> second = ask(row("a"));
        assertThat(second).isNotDone();
        pages.answer(row("b"));
        assertThat(second).isCompletedWithValue(List.of(row("b")));
        pages.answer();
        assertThat(ask(row("b"))).isCompletedWithValue(List.of());
        assertThat(pages.asked).as("nothing behind the end").hasSize(3);
    }

    @Test
    void shouldReadAPageAgainWhoseAnswerWasLost() {
        ask(null);
        pages.answer(row("a"));
        CompletableFuture<List<Row>> again = ask(null);
        assertThat(pages.asked).as("not while the next one is read").hasSize(2);
        pages.answer(row("b"));
        assertThat(pages.asked).containsExactly(null, row("a").key(), null);
        pages.answer(row("a"));
        assertThat(again).isCompletedWithValue(List.of(row("a")));
    }

    @Test
    void shouldFailAPageWhoseEngineThrows() {
        pages.throwing = true;
        assertThat(ask(null)).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("no disk");
        pages.throwing = false;
        CompletableFuture<List<Row>> again = ask(null);
        pages.answer(row("a"));
        assertThat(again).isCompletedWithValue(List.of(row("a")));
    }

    @Test
    void shouldReadAPageAgainThatCouldNotBeReadAhead() {
        ask(null);
        pages.answer(row("a"));
        pages.answers.get(1).completeExceptionally(new IllegalStateException("no disk"));
        assertThat(ask(row("a"))).isCompletedExceptionally();
        CompletableFuture<List<Row>> again = ask(row("a"));
        pages.answer(row("b"));
        assertThat(again).isCompletedWithValue(List.of(row("b")));
    }

    @Test
    void shouldCloseASnapshotOnceNothingIsReadAhead() {
        ask(null);
        pages.answer(row("a"));
        await(snapshots.close(name));
        assertThat(pages.closed).isFalse();
        pages.answer(row("b"));
        assertThat(pages.closed).isTrue();
    }
}
