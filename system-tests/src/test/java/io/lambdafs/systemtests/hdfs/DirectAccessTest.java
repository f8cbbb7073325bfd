package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.store.Schema;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** In an object store that clients write and read themselves: there is no datanode. */
class DirectAccessTest extends FaultyBlocksCase {
    private ObjectServer objects;

    @Override
    BlockFaults start(java.nio.file.Path directory) throws IOException {
        objects = new ObjectServer();
        servers = new LambdaServers(
                LambdaServers.Caching.WARM,
                directory,
                FunctionConfig.Limits.DEFAULT.smallFileLimitBytes(),
                Map.of("s3://bucket/", objects.signer()));
        return objects;
    }

    private long rows(io.lambdafs.store.Table table) {
        return servers.store().rows().stream()
                .filter(row -> row.key().table().equals(table))
                .count();
    }

    @Test
    void shouldKeepHdfsSemantics() throws IOException {
        write();
        assertThat(read()).isEqualTo(content);
        assertThat(objects.keys()).hasSize(3);
        try (FSDataOutputStream out = fs.append(FILE)) {
            out.write(content, 0, 70_000);
            out.hflush();
            assertThat(fs.open(FILE).readAllBytes()).hasSize(content.length + 70_000);
            out.write(content, 70_000, 10);
        }
        assertThat(read())
                .hasSize(content.length + 70_010)
                .startsWith(content)
                .endsWith(Arrays.copyOf(content, 70_010));
        assertThat(fs.truncate(FILE, BLOCK + 10)).isTrue();
        assertThat(read()).isEqualTo(Arrays.copyOf(content, BLOCK + 10));
        try (FSDataInputStream in = fs.open(FILE)) {
            byte[] part = new byte[30];
            in.readFully(BLOCK - 20, part);
            assertThat(part).isEqualTo(Arrays.copyOfRange(content, BLOCK - 20, BLOCK + 10));
        }
        assertThat(fs.getFileBlockLocations(FILE, 0, 1)[0].getHosts()).containsExactly("localhost");
        fs.delete(FILE, false);
        assertThat(fs.exists(FILE)).isFalse();
    }

    @Test
    void shouldAddNothingOfAWriterWhoseLeaseWasTaken() throws IOException {
        FSDataOutputStream out = fs.create(FILE, true, 4_096, (short) 1, BLOCK);
        out.write(content, 0, BLOCK);
        out.hflush();
        out.write(content, BLOCK, BLOCK);
        assertThat(((LeaseRecoverable) fs).recoverLease(FILE)).isTrue();

        assertThatThrownBy(out::close).hasMessageContaining(ErrorCode.STALE_GENERATION.label());

        assertThat(read()).isEqualTo(Arrays.copyOf(content, BLOCK));
        assertThat(rows(Schema.BLOCKS)).isEqualTo(1);
        assertThat(rows(Schema.INVALID_BLOCKS)).isEqualTo(objects.keys().size() - 1L);
    }

    @Test
    void shouldAskForAnotherUrlWhereOneHasExpired() throws IOException {
        objects.refuse(2, ErrorCode.TOKEN_EXPIRED);
        write();
        assertThat(objects.refusalsLeft()).isZero();
        objects.refuse(3, ErrorCode.TOKEN_EXPIRED);
        assertThat(read()).isEqualTo(content);
        assertThat(objects.refusalsLeft()).isZero();
        // What was refused has left rows of its keys, which an instance deletes later.
        assertThat(rows(Schema.INVALID_BLOCKS)).isEqualTo(2);
    }

    @Test
    void shouldBearAStoreThatIsSlow() throws IOException {
        objects.delay(200);
        write();
        assertThat(read()).isEqualTo(content);
        try (FSDataInputStream in = fs.open(new Path(FILE.toString()))) {
            in.seek(2L * BLOCK);
            assertThat(in.read()).isEqualTo(content[2 * BLOCK] & 0xff);
        }
    }
}
