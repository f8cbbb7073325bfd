package io.lambdafs.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.instance.Deployments;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of a change, and what is left of one that was interrupted. */
class ResizingTest {
    private final SystemScheduler scheduler = new SystemScheduler("resizing-test", 1, 100);
    private final MemoryStore engine = new MemoryStore(scheduler);
    private final List<String> steps = new ArrayList<>();
    private String broken = "";

    private final Resizing.Store store = new Resizing.Store() {
        @Override
        public <T> T ask(String what, Function<MetadataStore, CompletionStage<T>> step) {
            return step.apply(engine).toCompletableFuture().join();
        }
    };

    private final Resizing.Platform platform = new Resizing.Platform() {
        @Override
        public void register(int deployments) {
            step("register " + deployments);
        }

        @Override
        public void publish(Placement placement) {
            step("publish " + placement.generation() + " " + placement.deployments());
        }

        /** The instance that it starts fences the dead. */
        @Override
        public void wake() {
            step("wake");
            engine.fence(9).toCompletableFuture().join();
        }

        @Override
        public void removeFrom(int deployments) {
            step("remove from " + deployments);
        }
    };

    private void step(String step) {
        if (!broken.isEmpty() && step.startsWith(broken)) {
            throw new IllegalStateException("killed");
        }
        steps.add(step);
    }

    @BeforeEach
    void format() {
        Formatter.format(engine, 4, "root", 1).toCompletableFuture().join();
    }

    @AfterEach
    void close() {
        engine.close();
        scheduler.close();
    }

    @Test
    void shouldHaveFunctionsBeforeTheyAreCalledAndRemoveThemAfterTheirInstances() {
        assertThat(Resizing.run(store, platform, 7))
                .isEqualTo(new Resizing.Result(new Placement(0, 4), new Placement(1, 7)));
        assertThat(Resizing.run(store, platform, 3).after()).isEqualTo(new Placement(2, 3));
        assertThat(steps)
                .containsExactly(
                        "register 7", "publish 1 7", "remove from 7", "register 7", "publish 2 3", "remove from 3");
    }

    /** Waits as long as it waits for instances that leave by themselves. */
    @Test
    @Tag("slow")
    void shouldWakeSomebodyWhoFencesTheDead() {
        engine.begin(0)
                .commit(
                        List.of(
                                new Mutation.Put(new Row(Rows.instanceKey(9), 1L, "dead", 1L)),
                                new Mutation.Put(new Row(Rows.epochKey(9), 1L))),
                        Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
        Resizing.run(store, platform, 5);
        assertThat(steps).containsExactly("register 5", "publish 1 5", "wake", "remove from 5");
    }

    @Test
    void shouldAwaitInstancesThatLeaveByThemselves() {
        engine.begin(0)
                .commit(
                        List.of(
                                new Mutation.Put(new Row(Rows.instanceKey(9), 1L, "leaving", 1L)),
                                new Mutation.Put(new Row(Rows.epochKey(9), 1L))),
                        Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
        AtomicInteger looks = new AtomicInteger();
        Resizing.Store leaving = new Resizing.Store() {
            @Override
            public <T> T ask(String what, Function<MetadataStore, CompletionStage<T>> step) {
                if (what.startsWith("list the instances") && looks.incrementAndGet() == 2) {
                    engine.fence(9).toCompletableFuture().join();
                }
                return store.ask(what, step);
            }
        };
        Resizing.run(leaving, platform, 5);
        assertThat(looks).hasValue(2);
        assertThat(steps).containsExactly("register 5", "publish 1 5", "remove from 5");
    }

    @Test
    void shouldRefuseAStoreWithoutAFileSystem() {
        engine.begin(0)
                .commit(List.of(new Mutation.Delete(Deployments.NUMBER)), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
        assertThatThrownBy(() -> Resizing.run(store, platform, 5))
                .hasMessage("the store holds no file system: start the cluster first");
        assertThat(steps).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"register", "publish", "remove"})
    void shouldGoOnWhereItWasInterrupted(String where) {
        broken = where;
        assertThatThrownBy(() -> Resizing.run(store, platform, 3)).hasMessage("killed");
        broken = "";
        steps.clear();

        Resizing.Result result = Resizing.run(store, platform, 3);

        assertThat(result.after()).isEqualTo(new Placement(1, 3));
        assertThat(steps).hasSize(3).contains("publish 1 3", "remove from 3");
        assertThat(Resizing.run(store, platform, 3).hasChanged()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_025})
    void shouldRefuseANumberThatCannotBe(int deployments) {
        assertThatThrownBy(() -> Resizing.run(store, platform, deployments))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("1 to 1024");
        assertThat(steps).isEmpty();
    }
}
