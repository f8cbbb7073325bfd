package io.lambdafs.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.ServiceMain;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetsTest {
    @TempDir
    private Path folder;

    @Test
    void shouldReachTheDoorOfAClusterByHdfsOwnClientApartFromTheClustersOwnFiles() throws Exception {
        ClusterDirectory directory = new ClusterDirectory(folder);
        Target lambdafs = new Target(
                Targets.LAMBDAFS,
                URI.create("lambdafs:///"),
                Map.of("lambdafs.dir", folder.toString()),
                directory.client(),
                List.of(),
                Servers.UNKNOWN,
                true);
        assertThatThrownBy(() -> Targets.door(lambdafs, List.of()))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("no hdfs door runs in");
        Files.createDirectories(directory.port("hdfs").getParent());
        ServiceMain.writePort(directory.port("hdfs"), 8_020);
        Target door = Targets.door(lambdafs, List.of(Path.of("hdfs.jar")));
        assertThat(door.uri()).isEqualTo(URI.create("hdfs://127.0.0.1:8020/door"));
        assertThat(door.root("x")).isEqualTo("/door/x");
        assertThat(door.hasNative()).isFalse();
        assertThat(door.passing()).isTrue();
        assertThat(door.classPath()).contains(Path.of("hdfs.jar"));
        assertThat(Targets.withDoor(JsonNodeFactory.instance.objectNode()).toString())
                .isEqualTo("{\"doors\":{\"open\":\"hdfs\"}}");
    }
}
