package io.lambdafs.rpc.kryonet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.TransportUnderTest;
import io.lambdafs.rpc.message.Codec;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The KryoNet transport with every buffer accounted for. */
final class KryoUnderTest implements TransportUnderTest {
    /** One for all tests: threads that are not Netty's keep what they have used for as long as they live. */
    private static final PooledByteBufAllocator ALLOCATOR =
            new PooledByteBufAllocator(true, 0, 1, 8192, 9, 0, 0, false);

    @Override
    public Transport create(Codec codec, TransportLimits limits) {
        return new KryoTransport(codec, "test-kryonet", limits, ALLOCATOR);
    }

    @Override
    public long bufferedBytes() {
        return ALLOCATOR.metric().usedDirectMemory();
    }

    @Override
    public byte[] greeting() {
        return object(KryoObjects.NUMBER, new byte[] {0, 0, 0, 1});
    }

    @Override
    public byte[] onTheWire(byte[] frames) {
        int whole = frames.length / KryoObjects.MAX_PIECE_BYTES;
        ByteBuffer out = ByteBuffer.allocate(frames.length + (whole + 1) * (KryoObjects.LENGTH_BYTES + 1));
        for (int at = 0; at < frames.length; at += KryoObjects.MAX_PIECE_BYTES) {
            int end = Math.min(frames.length, at + KryoObjects.MAX_PIECE_BYTES);
            out.put(object(KryoObjects.PIECE, Arrays.copyOfRange(frames, at, end)));
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    static byte[] object(byte kind, byte[] content) {
        return ByteBuffer.allocate(KryoObjects.LENGTH_BYTES + 1 + content.length)
                .putInt(1 + content.length)
                .put(kind)
                .put(content)
                .array();
    }

    @Override
    public InputStream framesIn(InputStream wire) {
        DataInputStream objects = new DataInputStream(wire);
        return new InputStream() {
            private ByteBuffer piece = ByteBuffer.allocate(0);

            @Override
            public int read() throws IOException {
                return isAtEnd() ? -1 : piece.get() & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (isAtEnd()) {
                    return -1;
                }
                int taken = Math.min(length, piece.remaining());
                piece.get(into, offset, taken);
                return taken;
            }

            private boolean isAtEnd() throws IOException {
                while (!piece.hasRemaining()) {
                    byte[] object;
                    try {
                        object = new byte[objects.readInt()];
                    } catch (EOFException end) {
                        return true;
                    }
                    objects.readFully(object);
                    if (object[0] == KryoObjects.PIECE) {
                        piece = ByteBuffer.wrap(object, 1, object.length - 1);
                    }
                }
                return false;
            }
        };
    }

    @Override
    public void assertNothingLeaked() {
        await().untilAsserted(() -> assertThat(ALLOCATOR.metric().directArenas().stream()
                        .mapToLong(PoolArenaMetric::numActiveAllocations)
                        .sum())
                .isZero());
    }
}
