package io.lambdafs.cluster.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.settings.ClusterDirectory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilenceTest {
    @Test
    void shouldAdviseToStartWhatTakesNoConnections(@TempDir Path folder) throws Exception {
        ClusterDirectory directory = new ClusterDirectory(folder);
        URI gateway;
        try (ServerSocket hanging = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gateway = URI.create("http://127.0.0.1:" + hanging.getLocalPort());
            assertThat(Silence.ofGateway(directory, gateway))
                    .contains("takes connections", "doctor")
                    .doesNotContain("start");
        }
        assertThat(Silence.ofGateway(directory, gateway)).startsWith("start it with");
    }
}
