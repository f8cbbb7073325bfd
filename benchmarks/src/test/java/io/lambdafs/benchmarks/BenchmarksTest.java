package io.lambdafs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** That each benchmark runs; what it finds here means nothing. */
@Tag("slow")
class BenchmarksTest {
    private static final List<Class<?>> ALL = List.of(
            CodecBenchmark.class,
            LockTableBenchmark.class,
            PathBenchmark.class,
            PlacementBenchmark.class,
            SmallContentBenchmark.class,
            StatBenchmark.class,
            TransportBenchmark.class,
            TrieBenchmark.class);

    @Test
    void shouldRunEachBenchmarkOnce() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io\\.lambdafs\\.benchmarks\\..*")
                        .forks(0)
                        .param("deployments", "4")
                        .param("directoryCount", "1000")
                        .param("transport", "KRYONET")
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(5))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertThat(results).hasSize((int) methods());
        assertThat(results)
                .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore())
                        .as(result.getParams().getBenchmark())
                        .isPositive());
    }

    @Test
    void shouldCacheWhatTheTrieIsAskedFor() {
        TrieBenchmark trie = new TrieBenchmark();
        trie.fill();
        for (int i = 0; i < trie.directoryCount * TrieBenchmark.FILES; i++) {
            assertThat(trie.hit()).isTrue();
            assertThat(trie.hitInListing()).isTrue();
            assertThat(trie.list()).isGreaterThan(TrieBenchmark.FILES);
            assertThat(trie.miss()).isFalse();
            assertThat(trie.invalidateAndInsert()).isTrue();
        }
        assertThat(trie.insert()).isTrue();
    }

    private static long methods() {
        return ALL.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .count();
    }
}
