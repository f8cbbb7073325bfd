package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.model.operation.Placement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceFilesTest {
    @TempDir
    private Path folder;

    /** Returns the client settings of a cluster whose pool has this much memory. */
    private ClientConfig told(int poolMb) throws Exception {
        ObjectNode keys = Json.object().put("insecure", true);
        keys.putObject("pool").put("memoryMb", poolMb);
        ClusterSettings settings = SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
        ClusterDirectory directory = new ClusterDirectory(folder.resolve("with-" + poolMb));
        directory.prepare();
        Files.writeString(directory.apiKey(), "user:key");
        new ServiceFiles(directory, settings).writeClient(8_080, new Placement(settings.deployments()));
        return ClientConfig.load(directory.client());
    }

    /** The instances' waits end before the store's locks, those before its transactions, those before a client's attempt. */
    @Test
    void shouldTellTheStoreAndClientsOfTheTimesThatAreSet() throws Exception {
        ObjectNode keys = Json.object().put("insecure", true);
        keys.putObject("times").put("ackWaitMillis", 10_000).put("leaseMillis", 5_000);
        ClusterSettings settings = SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
        ClusterDirectory directory = new ClusterDirectory(folder.resolve("slow"));
        directory.prepare();
        Files.writeString(directory.apiKey(), "user:key");
        ServiceFiles files = new ServiceFiles(directory, settings);
        files.write(Service.STORE, 0);
        files.writeClient(8_080, new Placement(settings.deployments()));
        files.writeFunction(List.of(7_000), "127.0.0.1:2181");

        JsonNode store = Json.MAPPER.readTree(
                directory.configuration(Service.STORE.label()).toFile());
        assertThat(store.path("lockWaitMillis").asLong()).isEqualTo(15_200);
        assertThat(store.path("transactionLimitMillis").asLong()).isEqualTo(17_200);
        assertThat(FunctionConfigReader.read(files.function()).times())
                .isEqualTo(settings.times().all());
        assertThat(ClientConfig.load(directory.client()).times().attempt()).isEqualTo(Duration.ofMillis(19_200));
    }

    @Test
    void shouldTellClientsAndInstancesOfADistance() throws Exception {
        ObjectNode keys = Json.object().put("insecure", true);
        ClusterSettings near = SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
        keys.putObject("distance")
                .put("tcpMicros", 1_000)
                .put("httpMicros", 8_000)
                .put("storeMicros", 1_500)
                .put("coordinationMicros", 700);
        ClusterSettings far = SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
        ClusterDirectory directory = new ClusterDirectory(folder.resolve("far"));
        directory.prepare();
        Files.writeString(directory.apiKey(), "user:key");
        for (ClusterSettings settings : List.of(far, near)) {
            ServiceFiles files = new ServiceFiles(directory, settings);
            files.writeClient(8_080, new Placement(settings.deployments()));
            files.writeFunction(List.of(7_000), "127.0.0.1:2181");
            boolean isFar = settings.equals(far);
            assertThat(ClientConfig.load(directory.client()).distance())
                    .isEqualTo(
                            isFar
                                    ? new ClientConfig.Distance(Duration.ofMillis(1), Duration.ofMillis(8))
                                    : ClientConfig.Distance.NONE);
            assertThat(FunctionConfigReader.read(files.function()).distance())
                    .isEqualTo(
                            isFar
                                    ? new FunctionConfig.Distance(
                                            Duration.ofNanos(1_500_000), Duration.ofNanos(700_000))
                                    : FunctionConfig.Distance.NONE);
        }
    }

    @Test
    void shouldTellClientsOfAPoolThatHasNoRoomForAnInstanceOfEachDeployment() throws Exception {
        assertThat(told(4 * 256).antiThrashing().enabled()).isFalse();
        assertThat(told(4 * 256 - 1).antiThrashing().enabled()).isTrue();
    }
}
