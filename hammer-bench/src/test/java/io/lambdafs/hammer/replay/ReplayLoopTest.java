package io.lambdafs.hammer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.OneServer;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.tree.Trees;
import io.lambdafs.hammer.workload.Arrivals;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.OperationMix;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The open loop in a time of the test. */
final class ReplayLoopTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder;

    private final MemoryFileSystem files = new MemoryFileSystem();
    private final QuickTime time = new QuickTime();
    private ImportedTree tree = new ImportedTree(Trees.TARGET, List.of());

    @BeforeEach
    void importTree() throws Exception {
        tree = Trees.importInto(files, Trees.write(folder, 20, 20));
    }

    /** A hundred operations a second, evenly spaced. */
    private ReplaySettings even(int seconds) {
        return ReplaySettings.of(
                tree,
                new Workload(
                        OperationMix.SPOTIFY,
                        LoadShape.BURSTS,
                        Arrivals.CONSTANT,
                        Duration.ofSeconds(seconds),
                        100,
                        1,
                        1.3,
                        5));
    }

    private ReplayResult run(ReplaySettings settings, Target target) {
        return Replay.run(settings, target, ClusterProbe.none(), progress -> {}, unfinished -> {}, time);
    }

    private static Latency all(ReplayResult result) {
        return result.latencyMicros().get(ReplayResult.ALL);
    }

    @Test
    void shouldCountServiceTimeAloneWhereNothingWaits() {
        ReplayResult result = run(even(4), new OneServer(files, time, 2 * MILLI, 0, 0));
        assertThat(result.failures()).isEmpty();
        assertThat(result.operations()).isBetween(395L, 405L);
        assertThat(result.seconds()).isCloseTo(4, within(0.02));
        assertThat(result.opsPerSecond()).isCloseTo(100, within(1.5));
        assertThat(result.offeredOpsPerSecond()).isCloseTo(100, within(1.5));
        assertThat(all(result).p50()).isBetween(2_000L, 2_100L);
        assertThat(all(result).max()).isBetween(2_000L, 2_200L);
        assertThat(result.series()).last().satisfies(point -> {
            assertThat(point.offeredPerSecond()).isCloseTo(100, within(1.5));
            assertThat(point.opsPerSecond()).isCloseTo(100, within(1.5));
            assertThat(point.waiting()).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void shouldCountTheWaitingOfAllThatWereDueWhileTheServerStoodStill() {
        // A closed loop of this window would see four slow operations of 400, and none but these.
        OneServer server = new OneServer(files, time, MILLI, 100, 1_000 * MILLI);
        ReplayResult result = run(even(4).withWindow(4), server);
        assertThat(result.failures()).isEmpty();
        assertThat((long) server.asked()).isEqualTo(result.operations());
        // The hundred that were due within the second waited for what was left of it, and for those before them.
        assertThat(all(result).max()).isBetween(1_000_000L, 1_010_000L);
        assertThat(all(result).p90()).isBetween(600_000L, 700_000L);
        assertThat(all(result).p50()).isLessThan(2_000);
    }

    @Test
    void shouldHaveNoMoreInFlightThanItsWindow() {
        List<Integer> seen = new ArrayList<>();
        Target counting = new Target() {
            private int inFlight;

            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                seen.add(++inFlight);
                CompletableFuture<R> answer = new CompletableFuture<>();
                time.after(200 * MILLI, () -> {
                    inFlight--;
                    answer.complete(files.apply(operation));
                });
                return answer;
            }
        };
        ReplayResult result = run(even(2).withWindow(7), counting);
        assertThat(seen).contains(7).allMatch(count -> count <= 7);
        // Seven at a time, each for a fifth of a second: 35 a second.
        assertThat(result.opsPerSecond()).isCloseTo(35, within(1.5));
        assertThat(result.offeredOpsPerSecond()).isCloseTo(100, within(1.5));
        assertThat(result.seconds()).isCloseTo(result.operations() / 35.0, within(0.3));
    }

    @Test
    void shouldGiveUpWhatIsNotAnsweredWhenTheDrainTimeIsOver() {
        Target silent = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return new CompletableFuture<>();
            }
        };
        ReplayResult result = run(even(2).withWindow(8).withDrain(Duration.ofSeconds(3)), silent);
        assertThat(result.failed()).isEqualTo(result.operations()).isBetween(195L, 205L);
        assertThat(result.opsPerSecond()).isZero();
        assertThat(result.seconds()).isCloseTo(5, within(0.01));
        assertThat(all(result).count()).as("latencies of what was not answered").isEqualTo(result.operations());
        // The first was due at once, the last at the end of the load.
        assertThat(all(result).max()).isCloseTo(5_000_000, within(20_000L));
        assertThat(all(result).p50()).isCloseTo(4_000_000, within(20_000L));
        assertThat(result.failures().subList(0, 8)).allMatch(text -> text.contains("not answered"));
        assertThat(result.failures().subList(8, 20)).allMatch(text -> text.contains("not started"));
        assertThat(result.series())
                .allMatch(point -> point.opsPerSecond() == 0)
                .last()
                .satisfies(point -> assertThat(point.waiting()).isEqualTo(result.operations()));
    }

    @Test
    void shouldWaitForTheLastAnswerNoLongerThanItTakes() {
        ReplayResult result = run(even(1), new OneServer(files, time, 20 * MILLI, 0, 0));
        // A hundred operations of 20 ms each: twice as long as the load.
        assertThat(result.failed()).isZero();
        assertThat(result.seconds()).isCloseTo(0.02 * result.operations(), within(0.03));
        assertThat(result.opsPerSecond()).isCloseTo(50, within(1.0));
    }

    @Test
    void shouldPlanOnceMoreWhatFoundEverythingHeld() throws Exception {
        MemoryFileSystem other = new MemoryFileSystem();
        ImportedTree small = Trees.importInto(other, Trees.write(folder.resolve("small"), 2, 4));
        // Twice as slow as the load: what an operation holds stays held, and others must find something else, or
        // wait.
        ReplayResult result = run(
                ReplaySettings.of(small, even(1).workload()).withDrain(Duration.ofSeconds(5)),
                new OneServer(other, time, 20 * MILLI, 0, 0));
        assertThat(all(result).count()).isEqualTo(result.operations());
        assertThat(result.failures()).allMatch(text -> text.contains("nothing suitable in the namespace was free"));
        assertThat(result.failed()).isLessThan(result.operations() / 10);
    }
}
