package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.LambdaSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Under Lambda's runtime, within invocations and in those that are held: no call fails, and porcupine finds no stale read. */
@EnabledIfSystemProperty(named = "lambdafs.lambda.calls", matches = ".+")
class LambdaClusterTest {
    private static final Logger LOG = LoggerFactory.getLogger(LambdaClusterTest.class);
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long SEED = 30;
    private static final Path REPORTS = Path.of("target", "lambda");

    @TempDir
    Path directory;

    private final Progress progress = new Progress();

    @SuppressWarnings("try") // The history is whole before it is judged.
    @ParameterizedTest
    @ValueSource(strings = {"lambda", "lambda-held"})
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void shouldFailNothingAndAnswerNothingStale(String runtime) throws Exception {
        Checker checker = Checker.build(directory);
        Path file = directory.resolve("history.jsonl");
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ClusterUnderTest cluster =
                        ClusterUnderTest.start(directory.resolve("cluster"), LambdaSettings.of(runtime));
                History history = new History(file, progress);
                ClientProcess apart = new ClientProcess(
                        cluster.directory().resolve("client.json"),
                        Worlds.AT_A_TIME,
                        directory.resolve("client.log"),
                        executor)) {
            apart.start();
            try (Worlds worlds = new Worlds(cluster.clientConfig(), apart, history, SEED, executor)) {
                worlds.start();
                progress.awaitMore(Integer.parseInt(System.getProperty("lambdafs.lambda.calls")), LONGEST);
                worlds.stop().toCompletableFuture().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
                worlds.lookThrough().toCompletableFuture().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(cluster.instances()).as("instances of each deployment").hasSizeGreaterThanOrEqualTo(2);
            history.close();
            Checker.Verdict verdict = checker.judge(file);
            String summary = runtime + ": " + progress.completed() + " calls, the slowest took "
                    + progress.slowestMillis() + " ms; " + verdict.summary();
            LOG.info(summary);
            Files.createDirectories(REPORTS);
            Files.writeString(REPORTS.resolve(runtime + ".txt"), summary + "\n");
            assertThat(history.failures()).as("%s", history.examples()).isEmpty();
            assertThat(verdict.isLegal()).as("%s", verdict.lines()).isTrue();
        } finally {
            executor.shutdownNow();
        }
    }
}
