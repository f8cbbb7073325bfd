package io.lambdafs.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.lambdafs.cluster.ClusterStatus.ServiceState;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.MemoryCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.BlockReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Doctor's findings on clusters that are stopped, damaged, or only told to run. */
class ChecksTest {
    @TempDir
    private Path folder;

    private ClusterDirectory directory;
    private LocalCluster cluster;

    @BeforeEach
    void prepare() {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        cluster = new LocalCluster(directory, Console.ofProcess());
    }

    private static ClusterSettings with(Map<String, Object> keys) {
        return SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(Json.MAPPER.valueToTree(keys), "test")
                .settings();
    }

    private List<String> examine(String settings) throws Exception {
        Files.writeString(directory.settings(), settings);
        return lines(Doctor.examine(cluster, false));
    }

    private static List<String> lines(List<Finding> findings) {
        return findings.stream().map(each -> each.line().replaceAll(" +", " ")).toList();
    }

    @Test
    void shouldFindNothingElseWhereThereIsNoCluster() {
        List<Finding> findings = Doctor.examine(cluster, false);
        Finding last = findings.get(findings.size() - 1);
        assertThat(last.check()).isEqualTo("directory");
        assertThat(last.state()).isEqualTo(Finding.State.FAULT);
        assertThat(last.what()).isEqualTo("there is no cluster in " + directory);
        assertThat(findings).extracting(Finding::check).startsWith("versions", "open files", "processes", "disk");
    }

    @Test
    void shouldFindSettingsThatCannotBeRead() throws Exception {
        assertThat(examine("{\"deployments\": 0}").stream().filter(each -> each.startsWith("fault settings")))
                .singleElement()
                .asString()
                .contains("\"deployments\" must be", "nothing starts with them: correct " + directory.settings());
    }

    @Test
    void shouldTellOfAStoppedClusterWhatCannotBeLookedAt() throws Exception {
        assertThat(examine("{\"insecure\": true}"))
                .contains(
                        "unknown zookeeper the cluster is stopped",
                        "unknown store the cluster is stopped",
                        "unknown gateway the cluster is stopped",
                        "unknown format the store does not run",
                        "unknown blocks no datanode was ever started")
                .anyMatch(each -> each.startsWith("fault identity the cluster is insecure; "))
                .noneMatch(each -> each.startsWith("fault start") || each.contains(" database "));
        assertThat(examine(
                        "{\"insecure\": true, \"blocks\": {\"datanodes\": 0}, \"store\": {\"engine\": \"postgres\"}}"))
                .contains(
                        "ok blocks no datanodes are wanted: only small files can be written",
                        "unknown database the store was never started: there is no "
                                + directory.configuration("store"));
        Files.writeString(directory.starting(), "{\"insecure\": true}");
        assertThat(lines(Doctor.examine(cluster, false)))
                .anyMatch(each -> each.startsWith("fault start a start or load in " + directory + " is under way"));
    }

    @Test
    void shouldAskTheDatabaseThatTheStoreUses() throws Exception {
        Path file = directory.configuration("store");
        Files.writeString(file, "{\"jdbcUrl\":\"\"}");
        assertThat(lines(DatabaseChecks.look(cluster, false)))
                .containsExactly("unknown database the store was never started");
        Files.writeString(
                file, "{\"jdbcUrl\":\"jdbc:postgresql://127.0.0.1:1/none\",\"user\":\"ada\",\"cluster\":\"c\"}");
        assertThat(lines(DatabaseChecks.look(cluster, false)))
                .singleElement()
                .asString()
                .startsWith("fault database cannot use the database jdbc:postgresql://127.0.0.1:1/none");
    }

    private static ServiceState state(String name, String state) {
        return new ServiceState(name, state, "127.0.0.1:7", OptionalLong.empty());
    }

    @Test
    void shouldJudgeServicesByTheirStates() {
        List<String> found = lines(ServiceChecks.look(
                cluster,
                with(Map.of("zookeeper", "127.0.0.1:1")),
                List.of(state("store", "running"), state("gateway", "starting"), state("datanode-1", "failed"))));
        assertThat(found)
                .contains("ok store serves at 127.0.0.1:7")
                .anyMatch(each -> each.startsWith("fault gateway it is alive, and does not answer at its port"))
                .anyMatch(each -> each.startsWith("fault datanode-1 it has ended by itself, or was killed"))
                .anyMatch(each -> each.startsWith("fault coordinator 127.0.0.1:1 cannot be reached"));
        assertThat(lines(ServiceChecks.look(
                        cluster, with(Map.of()), List.of(state("store", "running"), state("zookeeper", "stopped")))))
                .anyMatch(each -> each.startsWith("fault zookeeper it does not run, and others do"));
    }

    @Test
    void shouldTellWhatAHealthPageSays() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/healthz", exchange -> {
            byte[] bytes = "its disk is slow\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(503, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try {
            Files.writeString(
                    directory.port("store-metrics"),
                    Integer.toString(server.getAddress().getPort()));
            assertThat(lines(ServiceChecks.look(cluster, with(Map.of()), List.of(state("store", "running")))))
                    .containsExactly("fault store its health page says: its disk is slow; it cannot do all of its work:"
                            + " do what the page says, or see " + directory.log("store"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldReachWhatListens() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + server.getLocalPort();
            assertThat(ServiceChecks.reach("blocks", address)).isEqualTo(Finding.ok("blocks", address + " answers"));
        }
        assertThat(ServiceChecks.reach("blocks", "127.0.0.1:port").state()).isEqualTo(Finding.State.FAULT);
    }

    @Test
    void shouldAskTheStoreThatRuns() {
        assertThat(lines(StoreChecks.look(cluster, List.of(state("store-2", "starting")))))
                .containsExactly("unknown format the store does not run");
        List<ServiceState> running = List.of(state("store-2", "running"));
        assertThatThrownBy(() -> StoreChecks.look(cluster, running))
                .hasMessageContaining("the store of the cluster in " + directory + " does not run");
    }

    @Test
    void shouldJudgeWhatTheStoreRecords() {
        try (MemoryCluster memory = new MemoryCluster(Map.of("local", folder), folder)) {
            assertThat(lines(DistantDoctor.examineStore(() -> memory)))
                    .singleElement()
                    .asString()
                    .matches("ok format level [0-9]+, the newest of this build");

            memory.put(new Row(Schema.DATANODES.key(0L, "dn"), "127.0.0.1", 1L, "local", 1L, 9L, 9L, 1L));
            memory.put(new BlockReport("local", 0, BlockReport.Contents.NONE, 3, 0, "dn", 1, 2, "").row());
            assertThat(lines(DistantDoctor.examineStore(() -> memory)))
                    .hasSize(3)
                    .anyMatch(each -> each.startsWith("fault datanodes dn has said nothing for"))
                    .anyMatch(each -> each.startsWith("fault objects 3 blocks have no whole object in local"));
        }
        assertThat(DistantDoctor.examineStore(() -> {
                    throw new FsException(ErrorCode.UNAVAILABLE, "nobody answers");
                }))
                .containsExactly(Finding.unknown("store", "nobody answers"));
    }

    @Test
    void shouldCallTheGatewayOfAClientsDirectory() throws Exception {
        assertThat(DistantDoctor.examineClient(directory))
                .noneMatch(each -> each.check().equals("gateway"));
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(gateway(server.getLocalPort()))
                    .isEqualTo(
                            Finding.ok("gateway", "http://127.0.0.1:" + server.getLocalPort() + " takes connections"));
        }
        assertThat(gateway(1).line())
                .contains("http://127.0.0.1:1 does not answer; no function can be called from this machine");
        Files.writeString(directory.client(), "{\"schema\":1}");
        assertThat(DistantDoctor.examineClient(directory))
                .anyMatch(each -> each.change().equals("deploy again"));
    }

    private Finding gateway(int port) throws Exception {
        Files.writeString(
                directory.client(),
                "{\"schema\":1,\"gateway\":\"http://127.0.0.1:" + port + "\",\"deployments\":1,\"insecure\":true}");
        return DistantDoctor.examineClient(directory).stream()
                .filter(each -> each.check().equals("gateway"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldTellTheMachinesLimitsAndTheDiskOfADirectoryThatIsNotThereYet() {
        List<Finding> findings = MachineChecks.look(new ClusterDirectory(folder.resolve("not/yet/there")));
        assertThat(findings).extracting(Finding::check).containsExactly("versions", "open files", "processes", "disk");
        assertThat(findings.get(0).state()).isEqualTo(Finding.State.OK);
        assertThat(findings.subList(1, 3))
                .allSatisfy(each -> assertThat(each.what())
                        .matches(
                                "no limit|at most [0-9,]+(, of at least [0-9,]+)?|this system does not say its limit"));
        assertThat(findings.get(3).what()).matches("[0-9,]+ MB of [0-9,]+ MB free on .*");
    }

    @Test
    void shouldReachAnObjectStoreOfItsOwnAndNoCloud() {
        assertThat(lines(BlockChecks.look(directory, with(Map.of("blocks", Map.of("place", "s3://bucket"))))))
                .containsExactly("unknown blocks s3://bucket is a cloud's: datanodes ask for it, see their health");
        Map<String, Object> own = Map.of("place", "s3://bucket", "endpoint", "http://127.0.0.1:1");
        assertThat(lines(BlockChecks.look(directory, with(Map.of("blocks", own)))))
                .singleElement()
                .asString()
                .startsWith("fault blocks 127.0.0.1:1 cannot be reached");
    }

    private static Diagnosis diagnosis(int faults, int unknown) {
        List<Finding> findings = new ArrayList<>(List.of(Finding.ok("a", "well")));
        for (int i = 0; i < faults; i++) {
            findings.add(Finding.fault("b", "broken", "it fails", "mend it"));
        }
        for (int i = 0; i < unknown; i++) {
            findings.add(Finding.unknown("c", "hidden"));
        }
        findings.add(Finding.unknown("accepted", "hidden"));
        return new Diagnosis(findings, List.of("accepted"));
    }

    private static String last(Diagnosis diagnosis) {
        List<String> lines = diagnosis.lines();
        return lines.get(lines.size() - 1);
    }

    @Test
    void shouldConcludeFromAllFindings() {
        assertThat(last(diagnosis(0, 0))).isEqualTo("no fault found");
        assertThat(last(diagnosis(1, 0))).isEqualTo("1 fault");
        assertThat(last(diagnosis(2, 1))).isEqualTo("2 faults; what is unknown could not be looked at: 1 check");
        assertThat(last(diagnosis(0, 2)))
                .isEqualTo("no fault among what could be looked at; what is unknown could not be looked at: 2 checks");
        assertThat(diagnosis(0, 0).exit()).isEqualTo(ExitCode.OK);
        assertThat(diagnosis(0, 1).exit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(diagnosis(1, 1).exit()).isEqualTo(ExitCode.FAILED);
        assertThat(diagnosis(2, 1).json().path("faults").asLong()).isEqualTo(2);
        assertThat(diagnosis(2, 1).json().path("unknown").asLong()).isEqualTo(1);
        assertThat(diagnosis(2, 1).json().path("findings")).hasSize(5);
    }
}
