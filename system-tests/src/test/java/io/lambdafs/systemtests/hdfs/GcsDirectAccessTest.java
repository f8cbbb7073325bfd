package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.FakeGcs;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.rpc.objects.ObjectSigners;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a bucket of Google Cloud Storage that clients write and read themselves. Skipped where there is no fake-gcs-server. */
class GcsDirectAccessTest {
    private static final int BLOCK = 1 << 20;
    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/d/file");

    @TempDir
    private Path directory;

    @Test
    void shouldWriteAndReadWithoutADatanode() throws Exception {
        byte[] content = new byte[2 * BLOCK + 5];
        new Random(1).nextBytes(content);
        String place = "gs://bucket/a/prefix/";
        try (FakeGcs gcs = FakeGcs.start(directory);
                LambdaServers servers = new LambdaServers(
                        LambdaServers.Caching.WARM,
                        directory,
                        FunctionConfig.Limits.DEFAULT.smallFileLimitBytes(),
                        ObjectSigners.of(Map.of(place, place), "", "", gcs.environment()));
                FileSystem fs = servers.fileSystem(directory)) {
            gcs.makeBucket("bucket");
            try (FSDataOutputStream out = fs.create(FILE, true, 4_096, (short) 1, BLOCK)) {
                out.write(content);
            }
            try (FSDataOutputStream out = fs.append(FILE)) {
                out.write(content, 0, 70_000);
            }

            try (FSDataInputStream in = fs.open(FILE)) {
                assertThat(in.readAllBytes())
                        .hasSize(content.length + 70_000)
                        .startsWith(content)
                        .endsWith(Arrays.copyOf(content, 70_000));
                byte[] part = new byte[30];
                in.readFully(BLOCK - 20, part);
                assertThat(part).isEqualTo(Arrays.copyOfRange(content, BLOCK - 20, BLOCK + 10));
            }
            assertThat(gcs.names("bucket")).hasSize(4).allMatch(each -> each.startsWith("a/prefix/"));
        }
    }
}
