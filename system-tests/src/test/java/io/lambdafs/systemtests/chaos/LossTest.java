package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.systemtests.ClusterUnderTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each part lost once under load, for ten seconds: the leader of three ZooKeeper servers, the store, the gateway. What every client saw
 * is judged by porcupine, so that an answer that is stale, or a write that was acknowledged and lost, fails the test; how long
 * clients waited is reported, not asserted. {@code -Dlambdafs.losses.seed=7} asks the same calls again.
 */
@EnabledIfSystemProperty(named = "lambdafs.losses.seed", matches = "\\d+")
class LossTest {
    private static final Logger LOG = LoggerFactory.getLogger(LossTest.class);
    private static final Path TARGET = Path.of("target", "losses");
    private static final Path FILE = TARGET.resolve("history.jsonl");
    private static final Duration LENGTH = Duration.ofSeconds(10);
    private static final Duration BEFORE = Duration.ofSeconds(5);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(90);
    private static final int WARM = 500;
    private static final String GATEWAY = "gateway killed";

    @TempDir
    Path directory;

    private final Progress progress = new Progress();
    private final Progress web = new Progress();
    private final LossReport report = new LossReport(progress, web);

    /** Undoes a loss where ending the hit does not. */
    @FunctionalInterface
    private interface Remedy {
        void apply() throws Exception;
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldResumeByItselfLoseNothingAndServeNothingStaleWhenAPartIsLost() throws Exception {
        long seed = Long.getLong("lambdafs.losses.seed");
        Checker checker = Checker.build(TARGET);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Path place = directory.resolve("cluster");
        Path clientJson = place.resolve("client.json");
        try (Ensemble ensemble = Ensemble.start(directory.resolve("ensemble"));
                ClusterUnderTest cluster = ClusterUnderTest.start(place, settings(ensemble));
                History history = new History(FILE, progress);
                ClientProcess clients =
                        new ClientProcess(clientJson, Worlds.AT_A_TIME, TARGET.resolve("client.log"), executor)) {
            clients.start();
            try (Worlds worlds = new Worlds(cluster.clientConfig(), clients, history, seed, executor);
                    WebClient webClient = new WebClient(clientJson, web)) {
                await(worlds.warmUp().toCompletableFuture());
                worlds.start();
                webClient.start();
                progress.awaitMore(WARM, LONGEST_CALL);
                loseEachPart(cluster, ensemble);
                await(worlds.stop().toCompletableFuture());
                webClient.stop();
                await(worlds.lookThrough().toCompletableFuture());
                report.add("seed %d: %d operations in %d worlds; not answered: %s %s"
                        .formatted(seed, progress.completed(), worlds.count(), history.failures(), history.examples()));
                report.add("a client without TCP, which reads what it wrote: %d calls, ended by: %s"
                        .formatted(web.completed(), webClient.failure()));
                judge(checker, history);
                assertThat(webClient.failure()).as("%s", report).isNull();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private void loseEachPart(ClusterUnderTest cluster, Ensemble ensemble) throws Exception {
        lose(GATEWAY, new ProcessHit(Fault.KILL_GATEWAY, service(cluster, "gateway")), cluster::start);
        lose("store killed", new ProcessHit(Fault.KILL_STORE, service(cluster, "store")), cluster::start);
        lose("store stopped", new ProcessHit(Fault.PAUSE_STORE, service(cluster, "store")), () -> {});
        lose(
                "ZooKeeper's leader killed",
                new ProcessHit(Fault.KILL_ZOOKEEPER, ensemble.leader()),
                ensemble::startMissing);
        lose("ZooKeeper's leader stopped", new ProcessHit(Fault.PAUSE_ZOOKEEPER, ensemble.leader()), () -> {});
    }

    private void judge(Checker checker, History history) throws Exception {
        history.close();
        Checker.Verdict verdict = checker.judge(FILE);
        report.add("porcupine: %s".formatted(verdict.summary()));
        Files.writeString(TARGET.resolve("report.txt"), report.toString());
        LOG.info("\n{}", report);
        assertThat(verdict.isLegal()).as("%s\n%s", report, verdict.lines()).isTrue();
        assertThat(history.failures()).as("%s", report).isEmpty();
        assertThat(report.answeredAtTheEndOf(GATEWAY))
                .as("connected clients go on without a gateway: %s", report)
                .isPositive();
    }

    private static ObjectNode settings(Ensemble ensemble) {
        return JsonNodeFactory.instance.objectNode().put("zookeeper", ensemble.connection());
    }

    private static ProcessHandle service(ClusterUnderTest cluster, String name) throws Exception {
        return cluster.service(name).orElseThrow();
    }

    private void lose(String name, Hit hit, Remedy remedy) throws Exception {
        // Undisturbed for as long as the report compares with.
        rest(BEFORE);
        long began = System.nanoTime();
        long ended;
        LOG.info("{} for {} s", name, LENGTH.toSeconds());
        try {
            hit.begin();
            rest(LENGTH);
            ended = System.nanoTime();
            hit.end();
        } finally {
            hit.cleanUp();
        }
        remedy.apply();
        long restored = System.nanoTime();
        progress.awaitMore(WARM, LONGEST_CALL);
        report.add(new LossReport.Loss(name, began - BEFORE.toNanos(), began, ended, restored));
    }

    private static void rest(Duration time) throws InterruptedException {
        new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void await(CompletableFuture<Void> stage) throws Exception {
        stage.get(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS);
    }
}
