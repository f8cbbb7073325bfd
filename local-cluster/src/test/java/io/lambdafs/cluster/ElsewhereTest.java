package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that describes a cluster of a platform for clients. */
class ElsewhereTest {
    @TempDir
    private Path folder;

    private LocalCluster cluster;

    @BeforeEach
    void describe() throws Exception {
        Files.writeString(
                folder.resolve("client.json"),
                "{\"schema\":1,\"gateway\":\"http://10.9.8.7:8080\",\"deployments\":7,\"insecure\":true}");
        Files.writeString(folder.resolve("cluster.json"), "{\"deployments\":7,\"instance\":{\"cpuShare\":0.5}}");
        cluster = new LocalCluster(new ClusterDirectory(folder), Console.ofProcess());
    }

    @Test
    void shouldBeReachedWhereItsClientFileSays() {
        assertThat(cluster.gateway().address()).contains(URI.create("http://10.9.8.7:8080"));
        assertThat(cluster.settings(LocalCluster.StartOptions.none()).deployments())
                .isEqualTo(7);
    }

    @Test
    void shouldNotBeStartedHere() {
        assertThatThrownBy(() -> cluster.start(LocalCluster.StartOptions.none()))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("runs elsewhere");
        assertThat(folder.resolve("run")).doesNotExist();
    }
}
