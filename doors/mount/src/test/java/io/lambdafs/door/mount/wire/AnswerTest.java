package io.lambdafs.door.mount.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerTest {
    private static final FileStatus FILE = new FileStatus(42, 1_000, 2_500, 3_750, FileStatus.FILE | 0640, 1, 7, 8);

    private static ByteBuffer joined(Answer answer) {
        ByteBuffer[] parts = answer.to(99);
        int length = 0;
        for (ByteBuffer part : parts) {
            length += part.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
        for (ByteBuffer part : parts) {
            all.put(part);
        }
        all.flip();
        assertThat(all.getInt(0)).as("the length in the header").isEqualTo(length);
        assertThat(all.getLong(8)).isEqualTo(99);
        return all;
    }

    @Test
    void shouldCarryAnErrorAlone() {
        ByteBuffer bytes = joined(Answer.refused(Errno.ENOTEMPTY));

        assertThat(bytes.remaining()).isEqualTo(16);
        assertThat(bytes.getInt(4)).isEqualTo(-39);
    }

    @Test
    void shouldLayOutAnEntryAsTheKernelDoes() {
        ByteBuffer bytes = joined(Answer.entry(FILE, 1_250));

        assertThat(bytes.remaining()).isEqualTo(16 + 128);
        assertThat(bytes.getLong(16)).as("nodeid").isEqualTo(42);
        assertThat(bytes.getLong(32)).as("entry_valid").isEqualTo(1);
        assertThat(bytes.getLong(40)).as("attr_valid").isEqualTo(1);
        assertThat(bytes.getInt(48)).as("entry_valid_nsec").isEqualTo(250_000_000);
        assertThat(bytes.getInt(52)).as("attr_valid_nsec").isEqualTo(250_000_000);
        assertAttributes(bytes, 56);
    }

    @Test
    void shouldLayOutAttributesAsTheKernelDoes() {
        ByteBuffer bytes = joined(Answer.attributes(FILE, 0));

        assertThat(bytes.remaining()).isEqualTo(16 + 104);
        assertThat(bytes.getLong(16)).as("attr_valid").isZero();
        assertAttributes(bytes, 32);
    }

    private static void assertAttributes(ByteBuffer bytes, int at) {
        assertThat(bytes.getLong(at)).as("ino").isEqualTo(42);
        assertThat(bytes.getLong(at + 8)).as("size").isEqualTo(1_000);
        assertThat(bytes.getLong(at + 16)).as("blocks").isEqualTo(2);
        assertThat(bytes.getLong(at + 24)).as("atime").isEqualTo(2);
        assertThat(bytes.getLong(at + 32)).as("mtime").isEqualTo(3);
        assertThat(bytes.getInt(at + 48)).as("atimensec").isEqualTo(500_000_000);
        assertThat(bytes.getInt(at + 52)).as("mtimensec").isEqualTo(750_000_000);
        assertThat(bytes.getInt(at + 60)).as("mode").isEqualTo(0100640);
        assertThat(bytes.getInt(at + 64)).as("nlink").isEqualTo(1);
        assertThat(bytes.getInt(at + 68)).as("uid").isEqualTo(7);
        assertThat(bytes.getInt(at + 72)).as("gid").isEqualTo(8);
    }

    @Test
    void shouldTellTheKernelWhatItHasNotAsked() {
        ByteBuffer[] parts =
                Answer.of(24).putLong(42).putLong(-1).putLong(0).asNotice(2).to(0);

        ByteBuffer bytes = parts[0].order(ByteOrder.nativeOrder());
        assertThat(bytes.remaining()).isEqualTo(16 + 24);
        assertThat(bytes.getInt(4)).as("the kind, in place of an error").isEqualTo(2);
        assertThat(bytes.getLong(8)).as("no request").isZero();
        assertThat(bytes.getLong(16)).isEqualTo(42);
    }

    @Test
    void shouldCarryContentsBehindTheHeader() {
        ByteBuffer bytes = joined(Answer.data(ByteBuffer.wrap("content".getBytes(StandardCharsets.UTF_8))));

        assertThat(StandardCharsets.UTF_8.decode(bytes.position(16)).toString()).isEqualTo("content");
    }

    @Test
    void shouldTellFailuresByLinuxsNumbers() {
        assertThat(errno(ErrorCode.NOT_FOUND)).isEqualTo(2);
        assertThat(errno(ErrorCode.PERMISSION_DENIED)).isEqualTo(13);
        assertThat(errno(ErrorCode.ALREADY_EXISTS)).isEqualTo(17);
        assertThat(errno(ErrorCode.STORE_FULL)).isEqualTo(28);
        assertThat(errno(ErrorCode.SAFE_MODE)).isEqualTo(30);
        assertThat(errno(ErrorCode.DEADLINE_EXCEEDED)).isEqualTo(5);
    }

    private static int errno(ErrorCode code) {
        return Errno.of(new FsException(code, "")).number();
    }
}
