package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.store.Resizing;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.systemtests.ClusterUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The number of deployments goes from 4 to 7 to 3 under load: no call fails, and porcupine finds no stale read. */
class ResizeClusterTest {
    private static final Logger LOG = LoggerFactory.getLogger(ResizeClusterTest.class);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int CALLS = 400;
    private static final long SEED = 30;

    @TempDir
    Path directory;

    private final Progress progress = new Progress();

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void shouldFailNothingAndAnswerNothingStaleWhileTheNumberOfDeploymentsChanges() throws Exception {
        Checker checker = Checker.build(directory);
        Path file = directory.resolve("history.jsonl");
        ObjectNode settings = JsonNodeFactory.instance.objectNode().put("deployments", 4);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory.resolve("cluster"), settings);
                History history = new History(file, progress);
                ClientProcess apart = new ClientProcess(
                        cluster.directory().resolve("client.json"),
                        Worlds.AT_A_TIME,
                        directory.resolve("client.log"),
                        executor)) {
            apart.start();
            try (Worlds worlds = new Worlds(cluster.clientConfig(), apart, history, SEED, executor)) {
                worlds.start();
                progress.awaitMore(CALLS, LONGEST);
                assertThat(resized(cluster, 7).after()).isEqualTo(new Placement(1, 7));
                assertThat(resized(cluster, 3).after()).isEqualTo(new Placement(2, 3));
                assertThat(resized(cluster, 3).hasChanged()).isFalse();
                worlds.stop().toCompletableFuture().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
                worlds.lookThrough().toCompletableFuture().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            }
            Awaitility.await("functions that are too many go")
                    .atMost(LONGEST)
                    .until(() -> cluster.instances().stream().allMatch(each -> each.deployment() < 3));
            assertThat(cluster.clientConfig().deployments()).isEqualTo(3);
            assertThat(cluster.clientConfig().generation()).isEqualTo(2);
            judge(checker, history, file);
        } finally {
            executor.shutdownNow();
        }
    }

    private void judge(Checker checker, History history, Path file) throws Exception {
        history.close();
        Checker.Verdict verdict = checker.judge(file);
        LOG.info(
                "{} calls, the slowest took {} ms; {}",
                progress.completed(),
                progress.slowestMillis(),
                verdict.summary());
        assertThat(history.failures()).as("%s", history.examples()).isEmpty();
        assertThat(verdict.isLegal()).as("%s", verdict.lines()).isTrue();
    }

    private Resizing.Result resized(ClusterUnderTest cluster, int deployments) {
        long began = System.nanoTime();
        Resizing.Result result = cluster.resize(deployments);
        LOG.info(
                "from {} to {} in {} ms",
                result.before(),
                result.after(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        progress.awaitMore(CALLS, LONGEST);
        return result;
    }
}
