package io.lambdafs.door.mount.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RequestTest {
    /** A LOOKUP of "m" in the root, as a kernel wrote it on x86-64. */
    private static final String LOOKUP =
            "2a0000000100000004000000000000000100000000000000000000000000000089510000000000006d00";

    @Test
    void shouldReadWhatAKernelWrote() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the bytes are of a little-endian machine");
        Request request = new Request(ByteBuffer.wrap(HexFormat.of().parseHex(LOOKUP)));

        assertThat(request.opcode()).isEqualTo(Opcode.LOOKUP);
        assertThat(request.unique()).isEqualTo(4);
        assertThat(request.node()).isEqualTo(1);
        assertThat(request.pid()).isEqualTo(0x5189);
        assertThat(request.name()).isEqualTo("m");
    }

    @Test
    void shouldReadFieldsInOrder() {
        Request request =
                Bytes.request(Opcode.RENAME, 9).int64(11).text("ä").text("b").read();

        assertThat(request.uid()).isEqualTo(1_000);
        assertThat(request.gid()).isEqualTo(100);
        assertThat(request.pid()).isEqualTo(77);
        assertThat(request.int64()).isEqualTo(11);
        assertThat(request.name()).isEqualTo("ä");
        assertThat(request.name()).isEqualTo("b");
    }

    @Test
    void shouldRefuseWhatIsCut() {
        ByteBuffer cut = Bytes.request(Opcode.READ, 1).int64(1).buffer();

        assertRefused(() -> new Request(cut.duplicate().limit(cut.limit() - 1)), Errno.EINVAL);
        assertRefused(() -> new Request(ByteBuffer.allocate(Request.HEADER_BYTES - 1)), Errno.EINVAL);
        Request read = new Request(cut);
        read.int64();
        assertRefused(read::int32, Errno.EINVAL);
        assertRefused(() -> Bytes.request(Opcode.LOOKUP, 1).int32(-1).read().name(), Errno.EINVAL);
    }

    @Test
    void shouldRefuseNamesThatAreTooLongOrNoText() {
        assertThat(Bytes.request(Opcode.LOOKUP, 1).text("ä".repeat(127)).read().name())
                .hasSize(127);
        assertRefused(
                () -> Bytes.request(Opcode.LOOKUP, 1)
                        .text("ä".repeat(128))
                        .read()
                        .name(),
                Errno.ENAMETOOLONG);
        byte[] latin = {(byte) 0xe4, 0};
        assertRefused(() -> Bytes.request(Opcode.LOOKUP, 1).raw(latin).read().name(), Errno.EINVAL);
    }

    @Test
    void shouldReadWhatIsToBeSet() {
        SetAttributes wanted = SetAttributes.read(Bytes.request(Opcode.SETATTR, 1)
                .int32(1 | 1 << 3 | 1 << 5)
                .int32(0)
                .int64(0)
                .int64(7)
                .int64(0)
                .int64(0)
                .int64(12)
                .int64(0)
                .int32(0)
                .int32(345_678_901)
                .int32(0)
                .int32(0600)
                .int32(0)
                .int32(0)
                .int32(0)
                .int32(0)
                .read());

        assertThat(wanted)
                .isEqualTo(new SetAttributes(
                        OptionalLong.empty(),
                        OptionalLong.of(7),
                        OptionalInt.of(0600),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        12_345,
                        -1));
    }

    static void assertRefused(ThrowingCallable call, Errno why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(why));
    }
}
