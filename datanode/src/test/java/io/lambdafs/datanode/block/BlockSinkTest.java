package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.block.Seal;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockSinkTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    private static final int CRC = Seal.crc(CONTENT, 0, CONTENT.length);

    private final MemoryBlockStore objects = new MemoryBlockStore();
    private final BlockSink sink = new BlockSink(new Block(7, 2, CONTENT.length, 0), objects.upload("k"));

    @AfterEach
    void shouldLeaveNoUpload() {
        sink.close();
        assertThat(objects.unfinished("", "", 10)).isEmpty();
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldWriteTheBytesAndThenTheirSeal() {
        assertThat(sink.addIf(Seal.crc(CONTENT, 0, 4), Arrays.copyOf(CONTENT, 4)))
                .isTrue();
        sink.add(Arrays.copyOfRange(CONTENT, 4, CONTENT.length));
        assertThat(sink.length()).isEqualTo(CONTENT.length);

        Block block = sink.finish(CONTENT.length, CRC);

        assertThat(block).isEqualTo(new Block(7, 2, CONTENT.length, CRC));
        byte[] object = new byte[CONTENT.length + Seal.size(CONTENT.length)];
        assertThat(objects.length("k")).hasValue(object.length);
        objects.read("k", 0, object, 0, object.length);
        assertThat(object).startsWith(CONTENT);
        assertThat(Seal.read(block, Arrays.copyOfRange(object, CONTENT.length, object.length)))
                .isNotNull();
    }

    @Test
    void shouldTakeNoByteMoreThanTheBlockMayHave() {
        sink.add(CONTENT);

        assertFails(ErrorCode.INVALID_ARGUMENT, () -> sink.add(new byte[1]));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> sink.addIf(0, new byte[1]));
        assertThat(sink.finish(CONTENT.length, CRC).length()).isEqualTo(CONTENT.length);
    }

    @Test
    void shouldMakeNothingOfBytesThatAreNotTheWriters() {
        assertFails(ErrorCode.BLOCK_CORRUPT, () -> sink.finish(0, 0));
        assertThat(sink.addIf(CRC + 1, CONTENT)).isFalse();
        assertFails(ErrorCode.BLOCK_CORRUPT, () -> sink.finish(CONTENT.length, CRC + 1));
        assertFails(ErrorCode.BLOCK_CORRUPT, () -> sink.finish(CONTENT.length - 1, CRC));

        assertThat(objects.length("k")).isEmpty();
    }
}
