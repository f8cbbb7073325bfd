package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.store.DistantStore;
import io.lambdafs.cluster.store.StoreFormat;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.instance.Deployments;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose store is served by this process, and whose other services do not run. */
class ServedClusterTest {
    @TempDir
    private Path folder;

    private ClusterDirectory directory;
    private LocalCluster cluster;
    private ServedStore served;

    @BeforeEach
    void serve() throws Exception {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        served = new ServedStore(directory.secret());
        ApiKey.random(new SecureRandom()).writeTo(directory.apiKey());
        Files.writeString(directory.settings(), "{\"coordinator\":\"store\",\"blocks\":{\"datanodes\":0}}");
        note(Service.STORE, served.port());
        cluster = new LocalCluster(directory, Console.ofProcess());
    }

    @AfterEach
    void close() {
        served.close();
    }

    /** Notes this process as a service's. */
    private void note(Service service, int port) throws Exception {
        ProcessHandle own = ProcessHandle.current();
        Files.writeString(
                directory.pid(service.label()),
                own.pid() + " " + own.info().startInstant().orElseThrow());
        Files.writeString(directory.port(service.label()), Integer.toString(port));
    }

    private ClusterSettings settings() {
        return cluster.settings(LocalCluster.StartOptions.none());
    }

    private Placement placement() {
        return cluster.onStore("read the number of deployments", Deployments::read)
                .orElseThrow();
    }

    @Test
    void shouldFormatAStoreOnce() {
        List<Integer> ports = List.of(served.port());
        assertThat(StoreFormat.format(directory, settings(), ports)).isTrue();
        assertThat(placement()).isEqualTo(new Placement(settings().deployments()));
        assertThat(StoreFormat.format(directory, settings(), ports)).isFalse();
    }

    @Test
    void shouldFormatAStoreOfAPlatformAndNoticeAnotherNumberOfDeployments() {
        ServiceFiles files = new ServiceFiles(directory, settings().withDeployments(3));
        files.writeFunction(List.of(served.port()), "");
        assertThat(StoreFormat.format(files.function())).isEqualTo(StoreFormat.Found.EMPTY);
        assertThat(StoreFormat.format(files.function())).isEqualTo(StoreFormat.Found.FORMATTED);
        ServiceFiles more = new ServiceFiles(directory, settings().withDeployments(5));
        more.writeFunction(List.of(served.port()), "");
        assertThat(StoreFormat.format(more.function())).isEqualTo(StoreFormat.Found.OF_ANOTHER_NUMBER);
        assertThat(placement()).isEqualTo(new Placement(1, 5));
    }

    @Test
    void shouldTellWhichServicesRun() throws Exception {
        ClusterStatus status = new ClusterStatus(cluster);
        assertThat(status.services())
                .extracting(each -> each.name() + " " + each.state())
                .containsExactly("store running", "gateway stopped");
        assertThat(status.isServing()).isFalse();
        assertThat(status.json().at("/services/0/pid").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(status.json().at("/services/1/pid").isNull()).isTrue();
        assertThat(status.text())
                .startsWith("cluster in " + directory + "\n  store       running   127.0.0.1:" + served.port())
                .doesNotContain("default file system", "has ended by itself");
        assertThat(ClusterStatus.trouble(cluster))
                .as("what is stopped is no trouble")
                .isEmpty();

        Files.writeString(directory.pid("gateway"), "the note of a process that has gone\n");
        assertThat(new ClusterStatus(cluster).text()).contains("a service has ended by itself");
        CommandFailure trouble = ClusterStatus.trouble(cluster).orElseThrow();
        assertThat(trouble.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(trouble)
                .hasMessageStartingWith("gateway of the cluster in " + directory + " does not answer: see ")
                .hasMessageContaining("start what is missing");
    }

    @Test
    void shouldNotTakeAGatewayThatWasNeverStartedForOneThatAnswers() {
        assertThat(cluster.gateway().answers()).isFalse();
        assertThatThrownBy(() -> cluster.gateway().client())
                .isInstanceOf(FsException.class)
                .hasMessageStartingWith("no cluster runs in " + directory);
    }

    @Test
    void shouldPublishAnotherNumberOfDeployments() throws Exception {
        note(Service.GATEWAY, 4_711);
        new LocalPlatform(cluster, URI.create("http://127.0.0.1:4711")).publish(new Placement(2, 7));
        assertThat(settings().deployments()).isEqualTo(7);
        ClientConfig client = ClientConfig.load(directory.client());
        assertThat(client.deployments()).isEqualTo(7);
        assertThat(client.gateway()).isEqualTo(URI.create("http://127.0.0.1:4711"));
        assertThat(Json.MAPPER
                        .readTree(directory.client().toFile())
                        .path("generation")
                        .asLong())
                .isEqualTo(2);
    }

    private DistantCluster distant() {
        return DistantCluster.of(null, new DistantStore(served.address(), directory.secret(), null, List.of(), ""));
    }

    private static Row datanode(String id, long state, long heartbeatMillis) {
        return new Row(Schema.DATANODES.key(0L, id), "127.0.0.1", 9L, "local", state, 9L, 9L, heartbeatMillis);
    }

    @Test
    void shouldTellWhatTheStoreOfAClusterElsewhereRecords() {
        served.put(
                new Row(Rows.instanceKey(5), 1L, "an-instance", 9L),
                new Row(Rows.epochKey(5), 0L),
                datanode("dn-1", 1, System.currentTimeMillis()),
                datanode("dn-2", 2, 1));
        DistantStatus status = new DistantStatus(new ClusterDirectory(folder.resolve("none")), distant());
        assertThat(status.isServing()).isTrue();
        assertThat(status.json().path("services"))
                .extracting(each ->
                        each.path("name").asText() + " " + each.path("state").asText())
                .containsExactly("store running", "dn-1 running", "dn-2 draining");
        assertThat(status.json().at("/instances/0/instance").asText()).isEqualTo("an-instance");
        assertThat(status.text())
                .startsWith("the cluster at " + served.address())
                .contains("instances: 1", "deployment 1: an-instance, epoch 5");

        served.put(datanode("dn-1", 1, 1));
        assertThat(new DistantStatus(new ClusterDirectory(folder.resolve("none")), distant()).isServing())
                .as("with a datanode that is silent")
                .isFalse();
    }

    @Test
    void shouldReadTheRowsOfAClusterElsewhere() {
        Row row = new Row(Schema.SETTINGS.key("a"), "b");
        served.put(row);
        List<Row> read = distant()
                .rows(rows -> StreamSupport.stream(rows.spliterator(), false).toList());
        assertThat(read)
                .containsExactlyInAnyOrderElementsOf(served.store().rows())
                .contains(row);
        assertThat(distant().blockStores()).isEmpty();
    }
}
