package io.lambdafs.benchmarks.against;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command over two launchers that note how they are called and answer with given figures. */
class AgainstCommandTest {
    private static final String PROPERTY = "lambdafs.launcher";

    @TempDir
    private Path folder;

    private void build(String name, int rate, double cpu) throws IOException {
        Path launcher = Files.createDirectory(folder.resolve(name)).resolve("lambdafs");
        Files.writeString(launcher, """
                #!/usr/bin/env bash
                echo "%1$s $1 $2" >>"%2$s/calls"
                case "$1 $2" in
                    "cluster start") mkdir -p "$4"; cp "$6" "%2$s/%1$s.json" ;;
                    "bench micro") echo '{"results":[{"ops":9,"failed":0,"opsPerSecond":%3$d,"clientCpuMicrosPerOp":%4$s,"serverCpuMicrosPerOp":10}]}' ;;
                esac
                """.formatted(name, folder, rate, cpu));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    private CommandRun compare(String... options) {
        System.setProperty(PROPERTY, folder.resolve("now/lambdafs").toString());
        Object[] all = new Object[1 + options.length];
        all[0] = folder.resolve("before");
        System.arraycopy(options, 0, all, 1, options.length);
        return CommandRun.ofCommand(AgainstCommand::new, all);
    }

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void shouldMeasureByTurnsAndStopBothClusters() throws IOException {
        build("before", 1_000, 10);
        build("now", 990, 10);
        CommandRun run = compare("--ops", "stat", "--rounds", "5", "--json");
        assertThat(run.exit()).isZero();
        JsonNode stat =
                new ObjectMapper().readTree(run.out()).path("operations").get(0);
        assertThat(stat.path("before").asDouble()).isEqualTo(1_000);
        assertThat(stat.path("throughput").path("median").asDouble()).isEqualTo(0.99);
        assertThat(stat.path("holds").asBoolean()).isTrue();
        List<String> calls = Files.readAllLines(folder.resolve("calls"));
        assertThat(calls).startsWith("before cluster start", "now cluster start");
        assertThat(calls).endsWith("before cluster stop", "now cluster stop");
        List<String> turns = calls.stream()
                .filter(call -> call.endsWith("micro"))
                .map(call -> call.substring(0, 3))
                .toList();
        assertThat(turns)
                .containsExactly("bef", "now", "now", "bef", "bef", "now", "now", "bef", "bef", "now", "now", "bef");
    }

    @Test
    void shouldGiveThisBuildsClusterSettingsOfItsOwn() throws IOException {
        build("before", 1_000, 10);
        build("now", 1_000, 10);
        Path conf = Files.writeString(folder.resolve("conf.json"), "{\"instance\":{\"changeLogEntries\":5000}}");
        CommandRun run = compare("--ops", "stat", "--rounds", "5", "--conf", conf.toString());
        assertThat(run.exit()).as(run.err()).isZero();

        JsonNode before =
                new ObjectMapper().readTree(folder.resolve("before.json").toFile());
        JsonNode now = new ObjectMapper().readTree(folder.resolve("now.json").toFile());
        assertThat(before.path("instance").has("changeLogEntries")).isFalse();
        assertThat(now.path("instance").path("changeLogEntries").asInt()).isEqualTo(5_000);
        assertThat(now.path("instance").path("maxInFlight"))
                .isEqualTo(before.path("instance").path("maxInFlight"));

        assertThat(compare("--conf", Files.writeString(conf, "{").toString()).err())
                .contains("LFS-108", "not JSON");
    }

    @Test
    void shouldFailWhereThroughputFellOrCpuGrew() throws IOException {
        build("before", 1_000, 10);
        build("now", 900, 10);
        CommandRun slower = compare("--ops", "stat", "--rounds", "5");
        assertThat(slower.exit()).isEqualTo(1);
        assertThat(slower.out()).contains("0.90 (0.90–0.90)", "SLOWER");
        assertThat(compare("--ops", "stat", "--rounds", "5", "--bound", "0.9").exit())
                .isZero();
    }

    @Test
    void shouldFailWhereAnOperationCostsMoreCpu() throws IOException {
        build("before", 1_000, 10);
        build("now", 1_000, 11.2);
        CommandRun dearer = compare("--ops", "stat", "--rounds", "5");
        assertThat(dearer.exit()).isEqualTo(1);
        assertThat(dearer.out()).contains("1.06 (1.06–1.06)", "SLOWER");
    }

    @Test
    void shouldRefuseWhatIsNoBuildAndTooFewRounds() throws IOException {
        assertThat(compare().exit()).isEqualTo(2);
        assertThat(compare().err()).contains("is no launcher of a build");
        build("before", 1, 1);
        assertThat(compare("--rounds", "4").err()).contains("--rounds takes 5 to 1000");
    }
}
