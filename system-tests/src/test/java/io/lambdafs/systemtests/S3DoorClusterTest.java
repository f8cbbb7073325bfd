package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.check.Doctor;
import io.lambdafs.door.s3.auth.AccessKey;
import io.lambdafs.door.s3.auth.AccessKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 door that is started, told and stopped with its cluster of processes. */
class S3DoorClusterTest {
    private static final int IDLE = 10_000;
    private static final String CONTENT = "through the door";

    @TempDir
    private Path folder;

    @Test
    void shouldStartTellAndStopTheDoorWithTheCluster() throws Exception {
        try (ClusterUnderTest cluster = started()) {
            ProcessHandle door = cluster.service("s3").orElseThrow();
            URI address = address(cluster);
            assertThat(new ClusterStatus(cluster.asCommandsSeeIt()).text())
                    .containsPattern("s3 +running +127.0.0.1:" + cluster.port("s3"));
            assertThat(Doctor.examine(cluster.asCommandsSeeIt(), true).toString())
                    .contains("s3", "127.0.0.1:" + cluster.port("s3"));
            AccessKey key = key();

            writeAndRead(address, key);

            assertThat(page(cluster.port("s3-metrics"), "/metrics"))
                    .contains("call=\"putobject\"", "lambdafs_door_written_bytes_total");
            assertThat(page(cluster.port("s3-metrics"), "/healthz")).isEqualTo("ok\n");

            serveBesideIdleConnections(cluster, key);

            cluster.stop();

            assertThat(door.isAlive()).isFalse();
        }
    }

    /** By the folder that LAMBDAFS_S3_TOOLS names, as {@code test --doors s3} installs it. */
    @Test
    void shouldServeAwscliAndBoto3() throws Exception {
        String tools = System.getenv("LAMBDAFS_S3_TOOLS");
        assumeTrue(
                tools != null && Files.isExecutable(Path.of(tools, "aws")),
                "LAMBDAFS_S3_TOOLS names no folder of awscli");
        try (ClusterUnderTest cluster = started()) {
            runAwscliAndBoto3(Path.of(tools).toRealPath().resolve("python"), address(cluster), key());
        }
    }

    private ClusterUnderTest started() throws Exception {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.putObject("doors").put("open", "s3");
        return ClusterUnderTest.start(folder.resolve("cluster"), settings);
    }

    private static URI address(ClusterUnderTest cluster) throws IOException {
        return URI.create("http://127.0.0.1:" + cluster.port("s3"));
    }

    private AccessKey key() throws IOException {
        AccessKey key = AccessKey.make(System.getProperty("user.name"), List.of());
        AccessKeys.add(folder.resolve("cluster").resolve(AccessKeys.NAME), key);
        return key;
    }

    private static String page(int port, String path) throws Exception {
        try (InputStream in =
                URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void writeAndRead(URI address, AccessKey key) {
        try (S3Client s3 = S3Client.builder()
                .endpointOverride(address)
                .region(Region.EU_NORTH_1)
                .httpClient(UrlConnectionHttpClient.create())
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(key.id(), key.secret())))
                .build()) {
            s3.createBucket(request -> request.bucket("bucket"));
            s3.putObject(request -> request.bucket("bucket").key("dir/file"), RequestBody.fromString(CONTENT));
            assertThat(s3.getObjectAsBytes(request -> request.bucket("bucket").key("dir/file"))
                            .asUtf8String())
                    .isEqualTo(CONTENT);
        }
    }

    /** Each tenth has begun a call that does not come. */
    private static void serveBesideIdleConnections(ClusterUnderTest cluster, AccessKey key) throws IOException {
        URI address = address(cluster);
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < IDLE; i++) {
                Socket each = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
                idle.add(each);
                if (i % 10 == 0) {
                    each.getOutputStream().write('G');
                }
            }
            writeAndRead(address, key);
        } finally {
            for (Socket each : idle) {
                each.close();
            }
        }
    }

    private void runAwscliAndBoto3(Path python, URI address, AccessKey key) throws Exception {
        ProcessBuilder program = new ProcessBuilder(
                python.toString(),
                "src/test/python/s3_door.py",
                address.toString(),
                Files.createDirectories(folder.resolve("awscli")).toString());
        program.environment().put("AWS_ACCESS_KEY_ID", key.id());
        program.environment().put("AWS_SECRET_ACCESS_KEY", key.secret());
        program.environment().put("AWS_CONFIG_FILE", "/dev/null");
        Process run = program.redirectErrorStream(true).start();
        String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).as(output).isZero();
        assertThat(output).contains("equal");
    }
}
