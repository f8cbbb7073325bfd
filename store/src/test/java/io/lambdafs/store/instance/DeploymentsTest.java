package io.lambdafs.store.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class DeploymentsTest {
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);

    private void put(Row... rows) {
        List<Mutation> all =
                Arrays.stream(rows).<Mutation>map(Mutation.Put::new).toList();
        await(store.begin(0).commit(all, Long.MAX_VALUE));
    }

    /** As a build before left it, but for its level. */
    private void format(FormatLevel level) {
        put(level.row(), new Row(Deployments.NUMBER, "4"));
    }

    private <T> T await(CompletionStage<T> stage) {
        scheduler.run();
        return stage.toCompletableFuture().join();
    }

    @Test
    void shouldReadAStoreOfBeforeAsTheFirstGeneration() {
        assertThat(await(Deployments.read(store))).isEmpty();
        format(FormatLevel.FIRST);
        assertThat(await(Deployments.read(store))).contains(new Placement(0, 4));
    }

    @Test
    void shouldRaiseTheGenerationWithEachChangeAndWithNoOther() {
        format(FormatLevel.GENERATIONS);
        assertThat(await(Deployments.change(store, 4))).isEqualTo(new Placement(0, 4));
        assertThat(await(Deployments.change(store, 7))).isEqualTo(new Placement(1, 7));
        assertThat(await(Deployments.change(store, 7))).isEqualTo(new Placement(1, 7));
        assertThat(await(Deployments.change(store, 3))).isEqualTo(new Placement(2, 3));
        assertThat(await(Deployments.read(store))).contains(new Placement(2, 3));
    }

    @Test
    void shouldLeaveAStoreAloneThatBuildsOfBeforeRead() {
        format(FormatLevel.ACLS);
        CompletionStage<Placement> change = Deployments.change(store, 7);
        assertThatThrownBy(() -> await(change))
                .extracting(thrown -> FsException.of(thrown).code())
                .isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(await(Deployments.read(store))).contains(new Placement(0, 4));
    }

    @Test
    void shouldRefuseAStoreThatIsNotFormatted() {
        CompletionStage<Placement> change = Deployments.change(store, 7);
        assertThatThrownBy(() -> await(change))
                .extracting(thrown -> FsException.of(thrown).code())
                .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void shouldListTheEpochsOfEarlierGenerations() {
        format(FormatLevel.GENERATIONS);
        // The first as a build before wrote it.
        put(new Row(Rows.epochKey(5), 1L), new Row(Rows.epochKey(6), 2L, 1L), new Row(Rows.epochKey(7), 0L, 2L));
        assertThat(await(Deployments.earlier(store, new Placement(2, 3))))
                .containsExactly(new Deployments.Earlier(5, 1, 0), new Deployments.Earlier(6, 2, 1));
        assertThat(await(Deployments.earlier(store, new Placement(0, 3)))).isEmpty();
    }
}
