package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.terminal.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartOptionsTest {
    @Test
    void shouldOverrideSomeKeysAndKeepTheOthers() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.put("deployments", 4).put("coordinator", "store");
        keys.putObject("pool").put("maxInstances", 4).put("prewarm", 1);
        LocalCluster.StartOptions common = new LocalCluster.StartOptions(Path.of("conf.json"), keys);
        ObjectNode fleet = JsonNodeFactory.instance.objectNode();
        fleet.put("deployments", 1);
        fleet.putObject("pool").put("maxInstances", 1);
        fleet.putObject("instance").put("cpuShare", 0.4);

        LocalCluster.StartOptions both = common.with(fleet);

        assertThat(both.file()).isEqualTo(common.file());
        assertThat(both.options().toString())
                .isEqualTo("{\"deployments\":1,\"coordinator\":\"store\",\"pool\":{\"maxInstances\":1,\"prewarm\":1},"
                        + "\"instance\":{\"cpuShare\":0.4}}");
        assertThat(common.options().at("/pool/maxInstances").asInt()).isEqualTo(4);
    }

    @Test
    void shouldLayKeysBeneathTheFileAndTheOptions(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("conf.json"), "{\"instance\":{\"cpuShare\":0.3}}");
        ObjectNode beneath = Json.object();
        beneath.putObject("instance").put("cpuShare", 0.04).put("memoryMb", 128);
        beneath.putObject("distance").put("tcpMicros", 1_000).put("storeMicros", 2_000);
        ObjectNode fleet = Json.object();
        fleet.putObject("distance").put("storeMicros", 5_000);

        ClusterSettings settings = new LocalCluster(new ClusterDirectory(folder.resolve("none")), Console.ofProcess())
                .settings(new LocalCluster.StartOptions(file, Json.object())
                        .over(beneath)
                        .with(fleet));

        assertThat(settings.instance().cpuShare()).isEqualTo(0.3);
        assertThat(settings.instance().memoryMb()).isEqualTo(128);
        assertThat(settings.distance()).isEqualTo(new DistanceSettings(1_000, 0, 5_000, 0));
    }
}
