package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.model.testkit.RamDisk;
import io.lambdafs.store.sql.server.PostgresServer;
import io.lambdafs.systemtests.ClusterUnderTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults under load; the history is judged by porcupine. {@code -Dlambdafs.chaos.minutes=4} runs it for so long, a fraction is
 * allowed; {@code -Dlambdafs.chaos.seed=7} makes the same faults and calls again, though not at the same moments;
 * {@code -Dlambdafs.chaos.load=spotify} has hammer-bench's Spotify mix replayed beside; {@code -Dlambdafs.chaos.store=postgres} or {@code ndb}
 * has the metadata there, with two store servers, and of NDB two replicas, {@code standby} in a PostgreSQL whose standby is promoted; {@code -Dlambdafs.chaos.coordinator=store} does without ZooKeeper.
 */
@EnabledIfSystemProperty(named = "lambdafs.chaos.minutes", matches = ".+")
class ChaosTest {
    private static final Logger LOG = LoggerFactory.getLogger(ChaosTest.class);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(90);
    private static final String SPOTIFY = "spotify";
    /** PostgreSQL with a standby, which is promoted when the primary is killed. */
    private static final String STANDBY = "standby";

    private static final int WARM = 500;
    private static final int STORE_MEGABYTES = 512;
    /** At the end of the gateway's absence: clients that are served still are served without it. */
    private static final Duration ALONE = Duration.ofSeconds(2);

    private static final Path TARGET = Path.of("target", "chaos");
    private static final Path FILE = TARGET.resolve("history.jsonl");

    /**
     * The losses that every run begins with: each part lost for longer than any time-out of the protocol, and each
     * other fault. The gateway first, while every deployment
     * has an instance that is connected: a client without one to ask waits for the gateway.
     */
    private static final List<Loss> LOSSES = List.of(
            new Loss(Fault.KILL_GATEWAY, Duration.ofSeconds(8)),
            new Loss(Fault.PAUSE_INSTANCE, Duration.ofSeconds(6)),
            new Loss(Fault.KILL_STORE, Duration.ofSeconds(10)),
            new Loss(Fault.PAUSE_STORE, Duration.ofSeconds(15)),
            new Loss(Fault.KILL_DATABASE, Duration.ofSeconds(4)),
            new Loss(Fault.PROMOTE_STANDBY, Duration.ofSeconds(1)),
            new Loss(Fault.KILL_ZOOKEEPER, Duration.ofSeconds(10)),
            new Loss(Fault.KILL_CLIENT, Duration.ofSeconds(1)),
            new Loss(Fault.FULL_DISK, Duration.ofSeconds(4)),
            new Loss(Fault.JUMP_INSTANCE, Duration.ofSeconds(2)),
            new Loss(Fault.JUMP_GATEWAY, Duration.ofSeconds(2)),
            new Loss(Fault.CUT_INSTANCE, Duration.ofSeconds(6)),
            new Loss(Fault.CUT_STORE, Duration.ofSeconds(6)),
            new Loss(Fault.CUT_ZOOKEEPER, Duration.ofSeconds(8)));

    private record Loss(Fault fault, Duration duration) {}

    @TempDir
    Path directory;

    private final Progress progress = new Progress();
    private final ChaosReport report = new ChaosReport(progress);
    private List<ReplayResult> replays = List.of();
    /** Why the run did not end as planned. */
    private @Nullable Exception broken;

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void shouldStayLinearizableWhileProcessesAreKilledAndPaused() throws Exception {
        long runMillis = (long) (Double.parseDouble(System.getProperty("lambdafs.chaos.minutes")) * 60_000);
        long seed = Long.getLong("lambdafs.chaos.seed", System.nanoTime() & 0xffff);
        Checker checker = Checker.build(TARGET);
        report.add("seed %d, %d s".formatted(seed, runMillis / 1_000));
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Optional<Clocks> clocks = Clocks.prepare(directory.resolve("jdk"));
        Path own = Path.of(System.getProperty("java.home"));
        Path place = directory.resolve("cluster");
        Optional<PostgresPair> pair = STANDBY.equals(engine())
                ? Optional.of(PostgresPair.start(directory.resolve("pair")))
                : Optional.empty();
        try (RamDisk disk = RamDisk.mount(place.resolve("store"), STORE_MEGABYTES);
                ClusterUnderTest cluster = ClusterUnderTest.start(
                        place, clocks.map(Clocks::javaHome).orElse(own), settings(pair));
                History history = new History(FILE, progress);
                ClientProcess clients = new ClientProcess(
                        place.resolve("client.json"), Worlds.AT_A_TIME, TARGET.resolve("client.log"), executor);
                Victims victims =
                        new Victims(cluster, history, clients, new Victims.Means(disk, clocks, Cuts.open(), pair))) {
            clients.start();
            Faults faults = new Faults(cluster, victims, seed);
            try (Worlds worlds = new Worlds(cluster.clientConfig(), clients, history, seed, executor);
                    LambdaFs besides = LambdaFs.open(cluster.clientConfig())) {
                Optional<SpotifyLoad> spotify = SPOTIFY.equals(System.getProperty("lambdafs.chaos.load"))
                        ? Optional.of(new SpotifyLoad(besides, seed))
                        : Optional.empty();
                spotify.ifPresent(SpotifyLoad::start);
                try {
                    work(worlds, faults, victims.possible(), runMillis);
                } catch (ExecutionException | TimeoutException | ConditionTimeoutException late) {
                    // What was told until then is judged all the same.
                    report.add("THE RUN DID NOT END AS PLANNED: %s".formatted(late));
                    broken = late;
                }
                if (spotify.isPresent()) {
                    replays = spotify.get().stop();
                }
            }
            report.count(faults.episodes());
            report.kinds(faults.episodes());
            report.add(victims.describeInstances());
            victims.impossible().forEach((fault, why) -> report.add("SKIPPED %s: %s".formatted(fault, why)));
            report.add(
                    "%d writes refused while the store's disk was full, %d calls lost with the client that was killed"
                            .formatted(history.refused(), history.lost()));
            report.replays(replays);
            report.add("not answered: %s %s".formatted(history.failures(), history.examples()));
            judge(checker, history, faults);
            assertThat(broken).as("%s", report).isNull();
        } finally {
            executor.shutdownNow();
            pair.ifPresent(PostgresPair::close);
        }
    }

    private static String engine() {
        return System.getProperty("lambdafs.chaos.store", "embedded");
    }

    private static ObjectNode settings(Optional<PostgresPair> pair) {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        String engine = engine();
        if (pair.isPresent()) {
            settings.putObject("store")
                    .put("engine", "postgres")
                    .put("servers", 2)
                    .put("jdbcUrl", pair.get().url())
                    .put("user", PostgresServer.ACCOUNT);
        } else if (!engine.equals("embedded")) {
            settings.putObject("store").put("engine", engine).put("servers", 2).put("ndbReplicas", 2);
        }
        if (isCoordinatedInTheStore()) {
            settings.put("coordinator", "store");
        }
        return settings;
    }

    private static boolean isCoordinatedInTheStore() {
        return System.getProperty("lambdafs.chaos.coordinator", "zookeeper").equals("store");
    }

    private void judge(Checker checker, History history, Faults faults) throws Exception {
        history.close();
        Checker.Verdict verdict = checker.judge(FILE);
        report.add("porcupine: %s".formatted(verdict.summary()));
        Files.writeString(TARGET.resolve("report.txt"), report.toString());
        LOG.info("\n{}", report);
        assertThat(verdict.isLegal()).as("%s\n%s", report, verdict.lines()).isTrue();
        assertThat(history.failures()).as("%s", report).isEmpty();
        assertThat(history.lost())
                .as("calls under way when their client was killed: %s", report)
                .isPositive();
        assertThat(replays).as("%s", report).allMatch(each -> each.failed() == 0);
        long restarted = faults.first(Fault.KILL_GATEWAY).ended();
        assertThat(progress.between(restarted - ALONE.toNanos(), restarted))
                .as("connected clients go on without a gateway: %s", report)
                .isPositive();
    }

    private void work(Worlds worlds, Faults faults, Set<Fault> possible, long runMillis) throws Exception {
        ExecutorService trouble = Executors.newSingleThreadExecutor();
        try {
            long began = System.nanoTime();
            await(worlds.warmUp().toCompletableFuture());
            worlds.start();
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> progress.completed() >= WARM);
            for (Loss each : LOSSES) {
                if (possible.contains(each.fault())) {
                    begin(faults, each);
                }
            }
            faults.episodes().forEach(report::episode);
            long left = runMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            Future<?> random = trouble.submit(() -> {
                faults.run();
                return null;
            });
            try {
                random.get(Math.max(0, left), TimeUnit.MILLISECONDS);
            } catch (TimeoutException asPlanned) {
                LOG.info("the time is over");
            }
            faults.stop();
            random.get();
            await(worlds.stop().toCompletableFuture());
            long nanos = System.nanoTime() - began;
            report.add("%d operations, %d writes, in %d worlds: %.0f per minute, the slowest took %d ms"
                    .formatted(
                            progress.completed(),
                            progress.writes(),
                            worlds.count(),
                            progress.completed() * 60e9 / nanos,
                            progress.slowestMillis()));
            await(worlds.lookThrough().toCompletableFuture());
        } finally {
            trouble.shutdownNow();
        }
    }

    private void begin(Faults faults, Loss loss) {
        Awaitility.await("somebody to hit")
                .atMost(LONGEST_CALL)
                .until(() -> faults.happen(List.of(loss.fault()), loss.duration()));
        progress.awaitMore(WARM, LONGEST_CALL);
    }

    private static void await(CompletableFuture<Void> stage) throws Exception {
        stage.get(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS);
    }
}
