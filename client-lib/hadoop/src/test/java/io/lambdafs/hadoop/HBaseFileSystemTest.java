package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HBaseFileSystemTest {
    private static final Path LOG = new Path("/hbase/WALs/log");

    @TempDir
    private java.nio.file.Path directory;

    private TestService service;
    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        service = new TestService(directory);
        Configuration conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
        conf.set("fs.lambdafs.impl", HBaseFileSystem.class.getName());
        fs = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
        service.close();
    }

    /** As HBase's {@code RecoverLeaseFSUtils} finds what recovers leases: by its class, and one method by reflection. */
    private DistributedFileSystem found() {
        FileSystem raw = fs instanceof FilterFileSystem filter ? filter.getRawFileSystem() : fs;
        assertThat(raw).isInstanceOf(DistributedFileSystem.class);
        return (DistributedFileSystem) raw;
    }

    @Test
    void shouldKeepFilesAsTheOtherFileSystemDoes() throws IOException {
        try (FSDataOutputStream out = fs.create(LOG)) {
            out.write("row".getBytes(StandardCharsets.US_ASCII));
        }
        try (FSDataInputStream in = fs.open(LOG)) {
            assertThat(in.readNBytes(9)).isEqualTo("row".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(fs.getUri()).hasScheme("lambdafs");
        assertThat(fs.getFileStatus(LOG).getLen()).isEqualTo(3);
    }

    @Test
    void shouldShowHBaseWhatRecoversLeases() throws Exception {
        fs.create(LOG).close();
        Object closed = found().getClass().getMethod("isFileClosed", Path.class).invoke(found(), LOG);
        assertThat(closed).isEqualTo(true);
        assertThatThrownBy(() -> found().recoverLease(new Path("/none")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("File does not exist");
    }
}
