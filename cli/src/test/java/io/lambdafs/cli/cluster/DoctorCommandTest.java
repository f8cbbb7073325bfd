package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cli.Main;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs doctor} on clusters that do not run, in several states. */
class DoctorCommandTest {
    @TempDir
    private Path folder;

    private CommandRun doctor(String... more) {
        List<Object> words = new ArrayList<>(List.of("doctor", "--dir", folder));
        words.addAll(List.of(more));
        return CommandRun.of(Main::run, words.toArray());
    }

    private ClusterDirectory stopped(String settings) throws IOException {
        ClusterDirectory directory = new ClusterDirectory(folder);
        directory.prepare();
        Files.writeString(directory.settings(), settings);
        for (Path secret : List.of(directory.secret(), directory.apiKey(), directory.managementKey())) {
            Files.writeString(secret, "a secret of some length");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        }
        return directory;
    }

    private static List<String> faults(CommandRun run) {
        return run.out().lines().filter(each -> each.startsWith("fault")).toList();
    }

    @Test
    void shouldSayWhereThereIsNoCluster() {
        CommandRun run = doctor();
        assertThat(run.exit()).isEqualTo(1);
        assertThat(faults(run))
                .anyMatch(each -> each.contains("there is no cluster in " + folder) && each.contains("cluster start"));
    }

    @Test
    void shouldFindNoFaultOfItsOwnInAClusterThatHasStopped() throws IOException {
        stopped("{}");
        CommandRun run = doctor();
        // What this machine lacks is its own affair.
        assertThat(faults(run)).noneMatch(each -> each.contains(folder.toString()) && !each.contains(" disk "));
        assertThat(run.out()).contains("unknown store        the cluster is stopped", "ok      files");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void shouldNameWhatIsWrongWhyItMattersAndWhatToChange() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClusterDirectory directory = stopped("{\"ports\":{\"store\":" + taken.getLocalPort()
                    + "},\"blocks\":{\"place\":\"" + folder.resolve("gone") + "\"}}");
            Files.setPosixFilePermissions(directory.secret(), PosixFilePermissions.fromString("rw-r--r--"));
            Files.writeString(directory.pid("gateway"), "1 1970-01-01T00:00:00Z\\n");
            Files.writeString(directory.log("datanode-1"), "");

            CommandRun run = doctor();

            assertThat(run.exit()).isEqualTo(1);
            assertThat(faults(run))
                    .anyMatch(each -> each.contains(directory.secret() + " is rw-r--r--")
                            && each.contains("chmod 600 " + directory.secret()))
                    .anyMatch(each -> each.contains("ports")
                            && each.contains(":" + taken.getLocalPort())
                            && each.contains("set another with \"ports.store\""))
                    .anyMatch(each -> each.contains("gateway") && each.contains("ended by itself"))
                    .anyMatch(each -> each.contains("store") && each.contains("does not run, and others do"))
                    .anyMatch(each -> each.contains(folder.resolve("gone") + " has gone"));
            JsonNode json = new ObjectMapper().readTree(doctor("--json").out());
            assertThat(json.path("schema").asInt()).isEqualTo(1);
            assertThat(json.path("faults").asInt()).isEqualTo(faults(run).size());
            for (JsonNode each : json.path("findings")) {
                if (each.path("state").asText().equals("fault")) {
                    assertThat(each.path("why").asText()).isNotEmpty();
                    assertThat(each.path("change").asText()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void shouldSayThatSettingsCannotBeRead() throws IOException {
        stopped("{\"deploymens\": 3}");
        CommandRun run = doctor();
        assertThat(run.exit()).isEqualTo(1);
        assertThat(faults(run)).anyMatch(each -> each.contains("deploymens") && each.contains("cluster.json"));
    }

    @Test
    void shouldSayThatADatabaseCannotBeReached() throws IOException {
        ClusterDirectory directory = stopped("{\"store\":{\"engine\":\"postgres\"}}");
        Files.writeString(
                directory.configuration("store"),
                "{\"jdbcUrl\":\"jdbc:postgresql://127.0.0.1:1/none\",\"user\":\"nobody\",\"cluster\":\"c\"}");
        CommandRun run = doctor();
        assertThat(faults(run)).anyMatch(each -> each.contains("database") && each.contains("127.0.0.1:1"));
    }

    @Test
    void shouldSayThatAnNdbCannotBeReached() throws IOException {
        stopped("{\"store\":{\"engine\":\"ndb\",\"ndbConnect\":\"127.0.0.1:1,127.0.0.1:2\"}}");
        CommandRun run = doctor("--json");
        JsonNode findings = new ObjectMapper().readTree(run.out()).path("findings");
        List<String> faults = new ArrayList<>();
        findings.forEach(each -> {
            if (each.path("check").asText().equals("ndb")
                    && each.path("state").asText().equals("fault")) {
                faults.add(each.path("what").asText());
            }
        });
        assertThat(faults)
                .anyMatch(each -> each.contains("127.0.0.1:1 does not answer"))
                .anyMatch(each -> each.contains("127.0.0.1:2 does not answer"));
    }
}
