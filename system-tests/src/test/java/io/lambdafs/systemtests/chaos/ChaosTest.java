package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.systemtests.ClusterUnderTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills and pauses under load; the history is judged by porcupine. {@code -Dlambdafs.chaos.minutes=4} runs it for so long, a fraction is
 * allowed; {@code -Dlambdafs.chaos.seed=7} makes the same faults and calls again, though not at the same moments.
 */
@EnabledIfSystemProperty(named = "lambdafs.chaos.minutes", matches = ".+")
class ChaosTest {
    private static final Logger LOG = LoggerFactory.getLogger(ChaosTest.class);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(90);
    private static final int WARM = 500;
    /** At the end of the gateway's absence: clients that are served still are served without it. */
    private static final Duration ALONE = Duration.ofSeconds(2);

    private static final Path TARGET = Path.of("target", "chaos");
    private static final Path FILE = TARGET.resolve("history.jsonl");

    /**
     * What every run begins with: each part lost for longer than any time-out of the protocol. The gateway first, while every deployment
     * has an instance that is connected: a client without one to ask waits for the gateway.
     */
    private static final List<Loss> LOSSES = List.of(
            new Loss(Fault.KILL_GATEWAY, Duration.ofSeconds(8)),
            new Loss(Fault.PAUSE_INSTANCE, Duration.ofSeconds(6)),
            new Loss(Fault.KILL_STORE, Duration.ofSeconds(10)),
            new Loss(Fault.KILL_ZOOKEEPER, Duration.ofSeconds(10)));

    private record Loss(Fault fault, Duration duration) {}

    @TempDir
    Path directory;

    private final Progress progress = new Progress();
    private final ChaosReport report = new ChaosReport(progress);

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void shouldStayLinearizableWhileProcessesAreKilledAndPaused() throws Exception {
        long runMillis = (long) (Double.parseDouble(System.getProperty("lambdafs.chaos.minutes")) * 60_000);
        long seed = Long.getLong("lambdafs.chaos.seed", System.nanoTime() & 0xffff);
        Checker checker = Checker.build(TARGET);
        report.add("seed %d, %d s".formatted(seed, runMillis / 1_000));
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory);
                History history = new History(FILE, progress)) {
            Faults faults = new Faults(cluster, seed);
            work(cluster, history, faults, executor, new Run(runMillis, seed));
            report.kinds(faults.episodes());
            report.add("not answered: %s %s".formatted(history.failures(), history.examples()));
            judge(checker, history, faults);
        } finally {
            executor.shutdownNow();
        }
    }

    private void judge(Checker checker, History history, Faults faults) throws Exception {
        history.close();
        Checker.Verdict verdict = checker.judge(FILE);
        report.add("porcupine: %s".formatted(verdict.summary()));
        Files.writeString(TARGET.resolve("report.txt"), report.toString());
        LOG.info("\n{}", report);
        assertThat(verdict.isLegal()).as("%s\n%s", report, verdict.lines()).isTrue();
        assertThat(history.failures()).as("%s", report).isEmpty();
        long restarted = faults.first(Fault.KILL_GATEWAY).ended();
        assertThat(progress.between(restarted - ALONE.toNanos(), restarted))
                .as("connected clients go on without a gateway: %s", report)
                .isPositive();
    }

    private record Run(long millis, long seed) {}

    private void work(ClusterUnderTest cluster, History history, Faults faults, ExecutorService executor, Run run)
            throws Exception {
        ExecutorService trouble = Executors.newSingleThreadExecutor();
        try (Worlds worlds = new Worlds(cluster.clientConfig(), history, run.seed(), executor)) {
            long began = System.nanoTime();
            await(worlds.warmUp().toCompletableFuture());
            worlds.start();
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> progress.completed() >= WARM);
            for (Loss each : LOSSES) {
                faults.happen(List.of(each.fault()), each.duration());
                int before = progress.completed();
                Awaitility.await("service resumes by itself")
                        .atMost(LONGEST_CALL)
                        .until(() -> progress.completed() >= before + WARM);
            }
            faults.episodes().forEach(report::episode);
            long left = run.millis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            Future<?> random = trouble.submit(() -> {
                faults.run();
                return null;
            });
            new CountDownLatch(1).await(Math.max(0, left), TimeUnit.MILLISECONDS);
            faults.stop();
            random.get();
            await(worlds.stop().toCompletableFuture());
            long nanos = System.nanoTime() - began;
            report.add("%d operations, %d writes, in %d worlds: %.0f per second, the slowest took %d ms"
                    .formatted(
                            progress.completed(),
                            progress.writes(),
                            worlds.count(),
                            progress.completed() * 1e9 / nanos,
                            progress.slowestMillis()));
            await(worlds.lookThrough().toCompletableFuture());
        } finally {
            trouble.shutdownNow();
        }
    }

    private static void await(CompletableFuture<Void> stage) throws Exception {
        stage.get(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS);
    }
}
