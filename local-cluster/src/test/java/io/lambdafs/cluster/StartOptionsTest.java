package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
}
