package io.lambdafs.benchmarks.micro.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.hammer.workload.OperationKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class WorkloadsTest {
    private static final int LANES = 3;
    private static final Duration LENGTH = Duration.ofSeconds(1);

    private final Names names = new Names();
    private final Workloads workloads = new Workloads(names, "/bench", 5);

    /** A file system of nothing but names, which refuses what must not be. */
    private static final class Names implements Api<String> {
        private final Set<String> there = new ConcurrentSkipListSet<>(Set.of("/bench"));

        @Override
        public String path(String text) {
            return text;
        }

        @Override
        public ClosedLoop<Step<String>> loop(Calls<Step<String>> workload) {
            return new ClosedLoop<>(workload, step -> {
                call(step);
                return CompletableFuture.completedFuture(true);
            });
        }

        void call(Step<String> step) {
            String path = step.path();
            switch (step.kind()) {
                case MKDIRS -> there.add(path);
                case CREATE -> {
                    assertThat(there).contains(parent(path));
                    assertThat(there.add(path)).as("%s is new", path).isTrue();
                }
                case STAT, OPEN -> assertThat(there).contains(path);
                case LIST ->
                    assertThat(there.stream().filter(each -> parent(each).equals(path)))
                            .hasSizeGreaterThanOrEqualTo(step.entries());
                case RENAME -> {
                    assertThat(there.remove(path)).as("%s is there", path).isTrue();
                    assertThat(there.add(step.destination())).isTrue();
                }
                case DELETE ->
                    assertThat(there.remove(path)).as("%s is there", path).isTrue();
            }
        }

        private static String parent(String path) {
            return path.substring(0, path.lastIndexOf('/'));
        }

        @Override
        public void close() {}
    }

    private static List<Step<String>> some(Calls<Step<String>> workload, int count) {
        List<Step<String>> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Step<String> step = workload.next(i % LANES);
            if (step == null) {
                break;
            }
            steps.add(step);
        }
        return steps;
    }

    @ParameterizedTest
    @EnumSource
    void shouldAskForNothingThatCannotBeDone(MicroOp op) throws IOException, InterruptedException {
        for (int run = 0; run < 2; run++) {
            Calls<Step<String>> workload = workloads.workload(op, LANES, LENGTH, 7, Function.identity());
            List<Step<String>> steps = some(workload, 1_000);
            assertThat(steps).hasSize(1_000);
            steps.forEach(names::call);
        }
    }

    @Test
    void shouldRunOutOfFilesToDelete() throws IOException, InterruptedException {
        Calls<Step<String>> workload = workloads.workload(MicroOp.DELETE, LANES, LENGTH, 7, Function.identity());
        List<Step<String>> steps = some(workload, 1_000_000);
        assertThat(steps).hasSizeBetween(2_000, 2_000 + LANES);
        assertThat(new HashSet<>(steps)).hasSameSizeAs(steps);
        assertThat(workload.next(0)).isNull();
    }

    @Test
    void shouldDrawTheSameUnderTheSameSeed() throws IOException, InterruptedException {
        List<Step<String>> once = some(workloads.workload(MicroOp.STAT, LANES, LENGTH, 7, Function.identity()), 100);
        assertThat(some(workloads.workload(MicroOp.STAT, LANES, LENGTH, 7, Function.identity()), 100))
                .isEqualTo(once);
        assertThat(some(workloads.workload(MicroOp.STAT, LANES, LENGTH, 8, Function.identity()), 100))
                .isNotEqualTo(once);
    }

    @Test
    void shouldDrawTheSpotifyMixInItsProportions() {
        Map<OperationKind, Integer> drawn = new EnumMap<>(OperationKind.class);
        int draws = 100_000;
        for (int i = 0; i < draws; i++) {
            drawn.merge(SpotifyMix.kind(i / (double) draws), 1, Integer::sum);
        }
        for (OperationKind kind : OperationKind.values()) {
            assertThat(drawn.getOrDefault(kind, 0) / (double) draws * 100)
                    .as(kind.label())
                    .isCloseTo(kind.percent(), within(0.02));
        }
    }
}
