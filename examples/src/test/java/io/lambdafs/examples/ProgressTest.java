package io.lambdafs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {
    @TempDir
    private Path folder;

    /** A copy reads from another file system what it writes to this one. */
    @Test
    void shouldCountTheBytesOfOneFileSystemOnly() throws Exception {
        long ours = Progress.bytes("file");
        long others = Progress.bytes("s3a") + Progress.bytes("lambdafs");
        FileSystem fs = FileSystem.get(URI.create("file:///"), new Configuration());
        try (FSDataOutputStream out =
                fs.create(new org.apache.hadoop.fs.Path(folder.resolve("file").toUri()))) {
            out.write(new byte[1_000]);
        }
        assertThat(Progress.bytes("file") - ours).isGreaterThanOrEqualTo(1_000);
        assertThat(Progress.bytes("s3a") + Progress.bytes("lambdafs")).isEqualTo(others);
    }
}
