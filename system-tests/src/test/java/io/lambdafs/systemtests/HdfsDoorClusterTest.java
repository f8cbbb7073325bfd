package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.check.Doctor;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An hdfs door that is started, told and stopped with its cluster. */
class HdfsDoorClusterTest {
    private static final byte[] CONTENT = "through the door".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    @Test
    void shouldStartTellAndStopTheDoorWithTheCluster() throws Exception {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.putObject("doors").put("open", "hdfs,webhdfs").put("copies", 2);
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"), settings)) {
            assertThat(cluster.toString()).contains("WARNING: the hdfs door believes every process of this machine");
            ProcessHandle door = cluster.service("hdfs").orElseThrow();
            assertThat(new ClusterStatus(cluster.asCommandsSeeIt()).text())
                    .containsPattern("hdfs +running +127.0.0.1:" + cluster.port("hdfs"))
                    .containsPattern("hdfs-2 +running +127.0.0.1:" + cluster.port("hdfs-2"))
                    .containsPattern("webhdfs +running +127.0.0.1:" + cluster.port("webhdfs"))
                    .containsPattern("webhdfs-2 +running +127.0.0.1:" + cluster.port("webhdfs-2"));
            assertThat(Doctor.examine(cluster.asCommandsSeeIt(), true).toString())
                    .contains("hdfs", "127.0.0.1:" + cluster.port("hdfs"));
            writeAndRead("hdfs", cluster.port("hdfs"));
            writeAndRead("hdfs", cluster.port("hdfs-2"));
            writeAndRead("webhdfs", cluster.port("webhdfs"));
            assertThat(page(cluster.port("hdfs-metrics"), "/metrics"))
                    .contains("lambdafs_door_calls_seconds_count{call=\"create\"", "lambdafs_door_written_bytes_total");
            assertThat(page(cluster.port("webhdfs-metrics"), "/metrics")).contains("call=\"put create\"");
            assertThat(page(cluster.port("hdfs-2-metrics"), "/healthz")).isEqualTo("ok\n");
            assertThat(untilFourDoorsAnswer(cluster.port("gateway")))
                    .contains("hdfs://127.0.0.1:" + cluster.port("hdfs-2"))
                    .contains("webhdfs://127.0.0.1:" + cluster.port("webhdfs"));

            cluster.stop();

            assertThat(door.isAlive()).isFalse();
        }
    }

    private static String page(int port, String path) throws Exception {
        try (InputStream in =
                URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns what the dashboard's events tell of the doors, once it is of four that answer. */
    private static String untilFourDoorsAnswer(int gateway) throws Exception {
        URI events = URI.create("http://127.0.0.1:" + gateway + "/dashboard/events");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(events.toURL().openStream(), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(each -> each.split("\"state\":\"answers\"", -1).length == 5)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void writeAndRead(String scheme, int port) throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/dir/file");
        try (FileSystem fs = FileSystem.newInstance(URI.create(scheme + "://127.0.0.1:" + port), new Configuration())) {
            try (FSDataOutputStream out = fs.create(file)) {
                out.write(CONTENT);
            }
            try (FSDataInputStream in = fs.open(file)) {
                assertThat(in.readAllBytes()).isEqualTo(CONTENT);
            }
        }
    }
}
