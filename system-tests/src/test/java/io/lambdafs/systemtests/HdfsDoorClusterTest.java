package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.check.Doctor;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An hdfs door that is started, told and stopped with its cluster. */
@Tag("once")
class HdfsDoorClusterTest {
    private static final byte[] CONTENT = "through the door".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    @Test
    void shouldStartTellAndStopTheDoorWithTheCluster() throws Exception {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.putObject("doors").put("open", "hdfs");
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"), settings)) {
            assertThat(cluster.toString()).contains("WARNING: the hdfs door believes every process of this machine");
            ProcessHandle door = cluster.service("hdfs").orElseThrow();
            assertThat(new ClusterStatus(cluster.asCommandsSeeIt()).text())
                    .containsPattern("hdfs +running +127.0.0.1:" + cluster.port("hdfs"));
            assertThat(Doctor.examine(cluster.asCommandsSeeIt(), true).toString())
                    .contains("hdfs", "127.0.0.1:" + cluster.port("hdfs"));
            writeAndRead(cluster.port("hdfs"));

            cluster.stop();

            assertThat(door.isAlive()).isFalse();
        }
    }

    private static void writeAndRead(int port) throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/dir/file");
        try (FileSystem fs = FileSystem.newInstance(URI.create("hdfs://127.0.0.1:" + port), new Configuration())) {
            try (FSDataOutputStream out = fs.create(file)) {
                out.write(CONTENT);
            }
            try (FSDataInputStream in = fs.open(file)) {
                assertThat(in.readAllBytes()).isEqualTo(CONTENT);
            }
        }
    }
}
