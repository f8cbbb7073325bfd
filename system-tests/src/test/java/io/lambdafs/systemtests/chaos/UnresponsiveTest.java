package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Times;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.ClusterUnderTest.LiveInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a write waits for an instance that holds what it changes, and that stands still or leaves, with the protocol's own times. Two
 * deployments of one instance: one leads every write, the other has the directory cached that the write is about. The delays are
 * reported; asserted is what the protocol's records show of the rounds.
 */
@EnabledIfSystemProperty(named = "lambdafs.losses.seed", matches = "\\d+")
class UnresponsiveTest {
    private static final Logger LOG = LoggerFactory.getLogger(UnresponsiveTest.class);
    private static final Path TARGET = Path.of("target", "losses");
    private static final int TRIALS = 20;
    private static final int UNDISTURBED = 200;
    private static final int WRITES_AFTER = 20;
    private static final int LANES = 16;
    private static final Times TIMES = Times.DEFAULT;
    private static final Placement PLACEMENT = new Placement(2);
    private static final int LEADER = PLACEMENT.ofChildren(FsPath.ROOT);
    private static final int HOLDER = 1 - LEADER;

    /** A directory whose children the holder serves, and one whose children the leader serves. */
    private static final FsPath HELD = directory(HOLDER);

    private static final FsPath LED = directory(LEADER);
    private static final FsPath CHILD = HELD.child("child");

    @TempDir
    Path directory;

    private final InstancePages pages = new InstancePages(Duration.ofSeconds(5));
    private final StringBuilder report = new StringBuilder();
    private ClusterUnderTest cluster;
    private BlockingLambdaFs fs;
    private int writes;

    /** A change of what the holder has cached; both are led by the other instance. */
    private enum Write {
        /** A prefix INV to every instance, then a round for the directory's own entry. */
        CHMOD_OF_THE_DIRECTORY("subtree"),
        /** One round, for entries and listings. */
        RENAME_OF_A_FILE_INTO_IT("inode");

        private final String round;

        Write(String round) {
            this.round = round;
        }
    }

    private static FsPath directory(int deployment) {
        return IntStream.range(0, 100)
                .mapToObj(i -> FsPath.ROOT.child("d" + i))
                .filter(path -> PLACEMENT.ofChildren(path) == deployment)
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void start() throws Exception {
        ObjectNode settings = JsonNodeFactory.instance.objectNode().put("deployments", PLACEMENT.deployments());
        settings.putObject("times")
                .put("ackWaitMillis", TIMES.ackWait().toMillis())
                .put("leaseMillis", TIMES.lease().toMillis());
        settings.putObject("pool").put("maxInstances", 1).put("keepAliveMillis", 3_600_000);
        cluster = ClusterUnderTest.start(directory.resolve("cluster"), settings);
        fs = cluster.client();
        fs.mkdirs(HELD, 0755);
        fs.mkdirs(LED, 0755);
        fs.create(CHILD, new byte[0], CreateOptions.DEFAULT);
        say("| write | times | median, ms | 95 % | longest | its round waited: median | longest |");
        say("|---|---|---|---|---|---|---|");
    }

    @AfterEach
    void stop() {
        fs.close();
        cluster.close();
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldDelayAWriteForAnInstanceThatStandsStillAndNotForOneThatLeaves() throws Exception {
        for (Write kind : Write.values()) {
            Delays undisturbed = new Delays();
            for (int i = 0; i < UNDISTURBED; i++) {
                letHold();
                undisturbed.add(timed(kind));
            }
            say(undisturbed.row(kind, "undisturbed"));
            besideOneThatLeaves(kind);
            Delays paused = besideOneThatStandsStill(kind);
            say(paused.row(kind, "the holder stands still"));
            assertThat(paused.rounds())
                    .as("every round waited for the acknowledgement, and for the lease: %s", report)
                    .allMatch(millis ->
                            millis >= TIMES.ackWait().plus(TIMES.outlasting()).toMillis());
        }
        say(besideOneThatStandsStillInMidWrite()
                .row(Write.CHMOD_OF_THE_DIRECTORY, "the holder stands still, under " + LANES + " creates in it"));
        Files.createDirectories(TARGET);
        Files.writeString(TARGET.resolve("unresponsive.txt"), report);
        LOG.info("\n{}", report);
    }

    private Delays besideOneThatStandsStill(Write kind) throws Exception {
        Delays delays = new Delays();
        for (int i = 0; i < TRIALS; i++) {
            letHold();
            ProcessHit pause =
                    new ProcessHit(Fault.PAUSE_INSTANCE, instance(HOLDER).process());
            try {
                pause.begin();
                delays.add(timed(kind));
            } finally {
                pause.cleanUp();
            }
        }
        return delays;
    }

    /** Then it has locks that the write needs, most likely: on the row of the directory that files are made in. */
    private Delays besideOneThatStandsStillInMidWrite() throws Exception {
        Delays delays = new Delays();
        for (int i = 0; i < TRIALS; i++) {
            letHold();
            ProcessHit pause =
                    new ProcessHit(Fault.PAUSE_INSTANCE, instance(HOLDER).process());
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            List<CompletableFuture<Void>> lanes = IntStream.range(0, LANES)
                    .mapToObj(lane -> create(HELD.child("lane" + lane), left))
                    .toList();
            try {
                Awaitility.await("creates").until(() -> left.get() < Integer.MAX_VALUE - 10 * LANES);
                pause.begin();
                delays.add(timed(Write.CHMOD_OF_THE_DIRECTORY));
            } finally {
                pause.cleanUp();
                left.set(0);
            }
            CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
        }
        return delays;
    }

    /** Makes a file anew, until there are none left to be made. */
    private CompletableFuture<Void> create(FsPath file, AtomicInteger left) {
        return left.getAndDecrement() <= 0
                ? CompletableFuture.completedFuture(null)
                : fs.async()
                        .create(file, new byte[0], CreateOptions.DEFAULT.withOverwrite(true))
                        .thenCompose(made -> create(file, left))
                        .toCompletableFuture();
    }

    /** It is told to, as the gateway tells one that it has no use for, and its end awaited under writes. */
    private void besideOneThatLeaves(Write kind) throws Exception {
        Delays meanwhile = new Delays();
        Delays afterwards = new Delays();
        for (int i = 0; i < TRIALS; i++) {
            letHold();
            ProcessHandle process = instance(HOLDER).process();
            process.destroy();
            while (process.isAlive()) {
                meanwhile.add(timed(kind));
            }
            for (int after = 0; after < WRITES_AFTER; after++) {
                afterwards.add(timed(kind));
            }
        }
        say(meanwhile.row(kind, "while the holder leaves"));
        say(afterwards.row(kind, "after it has left"));
    }

    /** Until the other instance answers from its cache what the next write changes. */
    private void letHold() throws Exception {
        fs.list(HELD, "", 100);
        Awaitility.await("the holder has it cached").atMost(1, TimeUnit.MINUTES).until(() -> {
            double before = hits();
            fs.stat(CHILD);
            fs.list(HELD, "", 100);
            return hits() >= before + 2 && before >= 0;
        });
    }

    private double hits() {
        return find(HOLDER)
                .map(holder -> pages.read(List.of(holder)).getOrDefault(holder, MetricsPage.EMPTY))
                .map(page -> page.sum("lambdafs_cache_hits_total", "role", "entry")
                        + page.sum("lambdafs_cache_hits_total", "role", "listing"))
                .orElse(-2.0);
    }

    private LiveInstance instance(int deployment) {
        return find(deployment).orElseThrow();
    }

    private Optional<LiveInstance> find(int deployment) {
        return cluster.instances().stream()
                .filter(each -> each.deployment() == deployment)
                .findFirst();
    }

    /** One write: what its client waited, and what its leader's rounds did, as the leader tells. */
    private Delays.Delay timed(Write kind) throws Exception {
        LiveInstance leader = instance(LEADER);
        double before = waited(leader, kind);
        writes++;
        FsPath file = LED.child("f" + writes);
        if (kind == Write.RENAME_OF_A_FILE_INTO_IT) {
            fs.create(file, new byte[0], CreateOptions.DEFAULT);
        }
        long asked = System.nanoTime();
        boolean changed = switch (kind) {
            case CHMOD_OF_THE_DIRECTORY -> fs.setPermission(HELD, writes % 2 == 0 ? 0755 : 0711);
            case RENAME_OF_A_FILE_INTO_IT -> fs.rename(file, HELD.child("moved"), RenameMode.OVERWRITE);
        };
        long nanos = System.nanoTime() - asked;
        assertThat(changed).isTrue();
        return new Delays.Delay(nanos / 1e6, (waited(leader, kind) - before) * 1e3);
    }

    private double waited(LiveInstance leader, Write kind) {
        return pages.read(List.of(leader))
                .getOrDefault(leader, MetricsPage.EMPTY)
                .sum("lambdafs_invalidation_round_seconds_sum", "kind", kind.round);
    }

    private void say(String line) {
        report.append(line).append('\n');
    }
}
