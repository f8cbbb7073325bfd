package io.lambdafs.rpc.kryonet;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final Outbox outbox = new Outbox(100, 1_000);

    @Test
    void shouldGiveWhatItWasGivenInPiecesThatFit() {
        byte[] all = new byte[300_000];
        new Random(3).nextBytes(all);
        for (int at = 0; at < all.length; at += 12_500) {
            outbox.add(Unpooled.copiedBuffer(all, at, 12_500));
        }
        ByteBuffer taken = ByteBuffer.allocate(all.length);
        Random random = new Random(4);
        while (outbox.bytes() > 0) {
            ByteBuffer object = ByteBuffer.allocate(Outbox.RESERVE + 1 + random.nextInt(50_000));

            assertThat(outbox.drainTo(object)).isTrue();

            assertThat(object.remaining()).isGreaterThanOrEqualTo(Outbox.RESERVE);
            assertThat(object.position()).isBetween(1, KryoObjects.MAX_PIECE_BYTES);
            taken.put(object.flip());
        }
        assertThat(taken.array()).isEqualTo(all);
        assertThat(outbox.isSendable()).isFalse();
    }

    @Test
    void shouldBeFullWithoutRoomUntilThereIsSome() {
        outbox.add(Unpooled.copiedBuffer(new byte[10]));

        assertThat(outbox.drainTo(ByteBuffer.allocate(Outbox.RESERVE))).isFalse();

        assertThat(outbox.isFull()).isTrue();
        assertThat(outbox.isSendable()).isFalse();
        outbox.hasRoom();
        assertThat(outbox.isSendable()).isTrue();
        assertThat(outbox.bytes()).isEqualTo(10);
    }

    @Test
    void shouldTakeNoMoreAboveTheHighMarkUntilBelowTheLowOne() {
        outbox.add(Unpooled.copiedBuffer(new byte[1_000]));
        assertThat(outbox.isWritable()).isTrue();
        outbox.add(Unpooled.copiedBuffer(new byte[1]));
        assertThat(outbox.isWritable()).isFalse();

        outbox.drainTo(ByteBuffer.allocate(Outbox.RESERVE + 901));
        assertThat(outbox.isWritable()).isFalse();
        outbox.drainTo(ByteBuffer.allocate(Outbox.RESERVE + 1));
        assertThat(outbox.isWritable()).isTrue();
    }

    @Test
    void shouldReleaseWhatItForgets() {
        ByteBuf frames = Unpooled.copiedBuffer(new byte[2_000]);
        outbox.add(frames);

        outbox.discard();

        assertThat(frames.refCnt()).isZero();
        assertThat(outbox.bytes()).isZero();
        assertThat(outbox.isWritable()).isTrue();
    }
}
