package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cli.Main;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandRun;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lambdafs cluster} where it must refuse: no process starts, nothing is kept. */
class ClusterCommandTest {
    @TempDir
    private Path folder;

    private Path cluster() {
        return folder.resolve("cluster");
    }

    private CommandRun start(Object... more) {
        List<Object> all = new ArrayList<>(List.of("cluster", "start", "--dir", cluster()));
        all.addAll(List.of(more));
        return CommandRun.of(Main::run, all.toArray());
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @ParameterizedTest
    @CsvSource({
        "--deployments, 0,      options: the setting \"deployments\" must be 1..1024",
        "--deployments, 1025,   options: the setting \"deployments\" must be 1..1024",
        "--port,        65536,  options: the setting \"ports.gateway\" must be 0..65535",
        "--port,        -1,     options: the setting \"ports.gateway\" must be 0..65535",
        "--listen,      ' ',    options: the setting \"listen\" must be a host name or address",
        "--zookeeper,   here,   options: the setting \"zookeeper\" must be host:port[",
        "--zookeeper,   'a:1;b:2', options: the setting \"zookeeper\" must be host:port[",
        "--conf,        /none/of.json,  /none/of.json: there is no such file"
    })
    void shouldRefuseSettingsThatMakeNoSense(String option, String value, String why) {
        CommandRun run = start(option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
        assertThat(cluster()).doesNotExist();
    }

    @Test
    void shouldNotTakeAnEnsembleWhereTheStoreCoordinates() {
        CommandRun run = start("--coordinator", "store", "--zookeeper", "a:1,b:2");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("\"zookeeper\" must be empty where the store coordinates, not a:1,b:2");
    }

    @Test
    void shouldSayFileAndLineOfAnUnknownSetting() throws Exception {
        Path conf = Files.writeString(folder.resolve("my.json"), "{\n\"depolyments\": 2\n}");
        CommandRun run = start("--conf", conf);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(conf + ":2: ", "did you mean \"deployments\"?");
        assertThat(cluster()).doesNotExist();
    }

    @Test
    void shouldStartAndKeepNothingWhenThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandRun run = start("--port", taken.getLocalPort());
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).contains("gateway cannot listen on 127.0.0.1:" + taken.getLocalPort());
            assertThat(run.out()).isEmpty();
        }
        assertThat(cluster().resolve("cluster.json")).doesNotExist();
        assertThat(cluster().resolve("secret")).doesNotExist();
        try (Stream<Path> left = Files.list(cluster().resolve("run"))) {
            assertThat(left.map(Path::getFileName).map(Path::toString)).containsExactly("lock");
        }
    }

    @Test
    void shouldNotLoseACluster() throws Exception {
        Path data = Files.createDirectories(cluster().resolve("store")).resolve("CURRENT");
        Files.writeString(data, "data");
        CommandRun run = start();
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err())
                .contains("has data and no secret", cluster().resolve("secret").toString());
        assertThat(data).hasContent("data");
        assertThat(cluster().resolve("secret")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"--deployments, 5, its name is fixed", "--insecure,    ,  that is fixed"})
    void shouldNotChangeWhatIsFixed(String option, String value, String why) throws Exception {
        Files.createDirectories(cluster());
        Files.writeString(cluster().resolve("cluster.json"), "{\"deployments\": 4}");
        CommandRun run = value == null ? start(option) : start(option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(cluster().toString(), why);
        assertThat(cluster().resolve("cluster.json")).hasContent("{\"deployments\": 4}");
    }

    @Test
    void shouldRefuseAFileInTheDirectorysPlace() throws Exception {
        Files.writeString(cluster(), "precious");
        CommandRun run = start();
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("cannot use the cluster directory " + cluster(), "is a file");
        assertThat(cluster()).hasContent("precious");
    }

    @Test
    void shouldStopWhatNeverRanWithoutMakingIt() {
        CommandRun run = CommandRun.of(Main::run, "cluster", "stop", "--dir", cluster());
        assertThat(run.exit()).isZero();
        assertThat(run.out()).isEqualTo("no cluster runs in " + cluster() + "\n");
        assertThat(cluster()).doesNotExist();
    }

    @Test
    void shouldTellScriptsTheStateOfAClusterThatDoesNotRun() throws Exception {
        CommandRun run = CommandRun.of(Main::run, "cluster", "status", "--json", "--dir", cluster());
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).endsWith("}\n");
        assertThat(run.out().lines()).hasSize(1);
        JsonNode status = new ObjectMapper().readTree(run.out());
        assertThat(names(status)).containsExactly("schema", "services", "instances", "defaultFs", "directory");
        assertThat(status.get("schema").asInt()).isEqualTo(1);
        assertThat(status.get("instances").isArray()).isTrue();
        assertThat(status.get("services")).hasSize(4).allSatisfy(service -> {
            assertThat(names(service)).containsExactly("name", "state", "endpoint", "pid");
            assertThat(service.get("state").asText()).isEqualTo("stopped");
            assertThat(service.get("pid").isNull()).isTrue();
        });
        assertThat(cluster()).doesNotExist();
    }

    @Test
    void shouldSayThatADirectoryHasNoCluster() throws Exception {
        CommandRun missing = CommandRun.of(Main::run, "cluster", "status", "--dir", cluster());
        assertThat(missing.exit()).isEqualTo(3);
        assertThat(missing.err())
                .contains("there is no directory " + cluster(), "lambdafs cluster start --dir " + cluster());
        Files.createDirectories(cluster());
        CommandRun empty = CommandRun.of(Main::run, "cluster", "status", "--dir", cluster());
        assertThat(empty.exit()).isEqualTo(3);
        assertThat(empty.err()).contains("no cluster was ever started in " + cluster());
    }

    @Test
    void shouldSayThatAServiceHasEndedByItself() throws Exception {
        ClusterDirectory directory = new ClusterDirectory(cluster());
        directory.prepare();
        Files.writeString(directory.pid("store"), "1 2026-01-01T00:00:00Z\n");
        CommandRun run = CommandRun.of(Main::run, "cluster", "status", "--dir", cluster());
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.out())
                .containsPattern("store +failed")
                .contains("ended by itself", directory.logs().toString());
    }

    @Test
    void shouldSayWhichSettingsFileOfAClusterIsBroken() throws Exception {
        Files.createDirectories(cluster());
        Files.writeString(cluster().resolve("cluster.json"), "{");
        CommandRun run = start();
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(cluster().resolve("cluster.json") + ":1: it is not JSON");
    }
}
