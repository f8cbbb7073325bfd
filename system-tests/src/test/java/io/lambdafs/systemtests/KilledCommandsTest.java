package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.sql.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that are killed by SIGKILL as soon as a step of theirs shows in the cluster's directory, and are given again: at
 * one step each, or at every step with {@code -Dlambdafs.kills=every}.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
@Tag("slow")
class KilledCommandsTest {
    private static final boolean EVERY = "every".equals(System.getProperty("lambdafs.kills"));

    @TempDir
    private Path folder;

    private final List<Path> clusters = new ArrayList<>();

    @AfterEach
    void stopAll() throws Exception {
        for (Path cluster : clusters) {
            run("cluster", "stop", "--dir", cluster);
            assertThat(processesOf(cluster)).as("processes that nobody knows").isEmpty();
        }
    }

    private Path cluster(String name) {
        Path cluster = folder.resolve(name);
        clusters.add(cluster);
        return cluster;
    }

    private static CommandRun run(Object... words) throws Exception {
        CommandRun run = CommandRun.lambdafs(words);
        assertThat(run.exit()).as("%s: %s", List.of(words), run).isZero();
        return run;
    }

    /** Kills a command at a step, which it must come to. */
    private static void kill(BooleanSupplier step, Object... words) throws Exception {
        Process command = new ProcessBuilder(CommandRun.lambdafsCommand(words))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            while (!step.getAsBoolean()) {
                assertThat(command.isAlive())
                        .as("%s ended before it was killed", List.of(words))
                        .isTrue();
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } finally {
            command.destroyForcibly().waitFor();
        }
    }

    private static <T> List<T> orOne(List<T> steps, int one) {
        return EVERY ? steps : List.of(steps.get(one));
    }

    private static BooleanSupplier has(Path cluster, String file) {
        return () -> Files.exists(cluster.resolve(file));
    }

    private static BooleanSupplier says(Path file, String text) {
        return () -> {
            try {
                return Files.readString(file).contains(text);
            } catch (IOException e) {
                return false;
            }
        };
    }

    private static List<String> processesOf(Path cluster) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.map(each -> each.info().commandLine().orElse(""))
                    .filter(each -> each.contains(cluster + "/"))
                    .toList();
        }
    }

    @Test
    void shouldStartWithTheOptionsOfAStartThatWasKilled() throws Exception {
        List<String> steps = List.of(
                "starting.json", "run/store.pid", "run/store.port", "run/gateway.port", "cluster.json", "client.json");
        for (String step : orOne(steps, 1)) {
            Path cluster = cluster(step.replace('/', '-'));
            Path blocks = folder.resolve("blocks-of-" + cluster.getFileName());
            kill(
                    has(cluster, step),
                    "cluster",
                    "start",
                    "--dir",
                    cluster,
                    "--coordinator",
                    "store",
                    "--blocks",
                    blocks);
            run("cluster", "start", "--dir", cluster);
            assertThat(cluster.resolve("cluster.json"))
                    .as(step)
                    .content()
                    .contains("\"coordinator\" : \"store\"", blocks.toString());
            assertThat(cluster.resolve("starting.json")).doesNotExist();
            run("fs", "--dir", cluster, "-mkdir", "/made");
            kill(() -> !Files.exists(cluster.resolve("run/gateway.pid")), "cluster", "stop", "--dir", cluster);
            run("cluster", "stop", "--dir", cluster);
        }
    }

    @Test
    void shouldLeaveEverythingRunningAfterAMigrationThatFailed() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed");
        Path directory = cluster("failing");
        run("cluster", "start", "--dir", directory, "--coordinator", "store");
        LocalCluster cluster = new LocalCluster(new ClusterDirectory(directory), Console.ofProcess());
        Set<String> before = cluster.processes().keySet();
        LocalCluster.MoveSteps failing = new LocalCluster.MoveSteps() {
            @Override
            public void whileServing(MetadataStore from, MetadataStore to) {}

            @Override
            public void whileStopped(MetadataStore from, MetadataStore to) {
                throw new FsException(ErrorCode.INTERNAL, "rows differ");
            }
        };
        ObjectNode postgres = JsonNodeFactory.instance.objectNode().put("engine", "postgres");
        assertThatThrownBy(() -> cluster.moveStore(postgres, failing)).hasMessageContaining("rows differ");
        // As the command's end does.
        cluster.abandon();
        assertThat(cluster.processes()).containsOnlyKeys(before);
        run("fs", "--dir", directory, "-mkdir", "/made");
    }

    @Test
    void shouldRepeatAMigrationWhereverItWasKilled() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed");
        Path cluster = cluster("moved");
        run("cluster", "start", "--dir", cluster, "--coordinator", "store");
        List<BooleanSupplier> steps = orOne(
                List.of(
                        has(cluster, "run/postgres.pid"),
                        has(cluster, "run/store-13.pid"),
                        has(cluster, "migration/manifest.jsonl"),
                        () -> !Files.exists(cluster.resolve("run/gateway.pid")),
                        () -> !Files.exists(cluster.resolve("run/store.pid")),
                        says(cluster.resolve("cluster.json"), "\"engine\" : \"postgres\"")),
                5);
        for (int i = 0; i < steps.size(); i++) {
            run("fs", "--dir", cluster, "-mkdir", "/made-" + i);
            kill(steps.get(i), "migrate", "--to", "postgres", "--dir", cluster);
            run("cluster", "start", "--dir", cluster);
            assertThat(cluster.resolve("run/store-13.pid")).as("what was left").doesNotExist();
            assertThat(run("fs", "--dir", cluster, "-ls", "/").out()).contains("/made-" + i);
        }
        assertThat(cluster.resolve("cluster.json")).content().contains("\"engine\" : \"postgres\"");
        assertThat(cluster.resolve("store")).as("the data of before").doesNotExist();
        assertThat(run("fsck", "--dir", cluster).out()).contains("it is whole");

        if (EVERY) {
            run("migrate", "--to", "embedded", "--dir", cluster);
            assertThat(run("fs", "--dir", cluster, "-ls", "/").out())
                    .contains("/made-0", "/made-" + (steps.size() - 1));
        }
    }

    @Test
    void shouldRepeatResizesDumpsAndLoadsWhereverTheyWereKilled() throws Exception {
        Path cluster = cluster("dumped");
        run("cluster", "start", "--dir", cluster, "--coordinator", "store");
        run("fs", "--dir", cluster, "-mkdir", "/made");
        kill(
                says(cluster.resolve("cluster.json"), "\"deployments\" : 3"),
                "cluster",
                "resize",
                "--deployments",
                3,
                "--dir",
                cluster);
        run("cluster", "resize", "--deployments", 3, "--dir", cluster);

        Path dump = folder.resolve("dump");
        kill(has(dump, "manifest.jsonl"), "dump", dump, "--dir", cluster);
        CommandRun resumed = CommandRun.lambdafs("dump", dump, "--resume", "--dir", cluster);
        assertThat(resumed.exit() == 0 || resumed.err().contains("whole already"))
                .as("%s", resumed)
                .isTrue();
        for (String step : orOne(List.of("starting.json", "run/store.pid", "run/store.port"), 2)) {
            Path loaded = cluster("loaded-" + step.replace('/', '-'));
            kill(has(loaded, step), "load", dump, "--dir", loaded);
            run("load", dump, "--dir", loaded);
            run("cluster", "start", "--dir", loaded);
            assertThat(run("fs", "--dir", loaded, "-ls", "/").out()).contains("/made");
        }
    }
}
