package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.Placement;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceFilesTest {
    @TempDir
    private Path folder;

    /** What clients are told of a cluster whose pool has so much memory. */
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

    @Test
    void shouldTellClientsOfAPoolThatHasNoRoomForAnInstanceOfEachDeployment() throws Exception {
        assertThat(told(4 * 256).antiThrashing().enabled()).isFalse();
        assertThat(told(4 * 256 - 1).antiThrashing().enabled()).isTrue();
    }
}
