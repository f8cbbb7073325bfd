package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.framing.FramedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the system the place for received bytes: the bytes after a reply go to their destination, if they have room
 * there, others into buffers for the decoder. One per channel; confined to its event loop.
 */
final class Receiving implements RecvByteBufAllocator {
    /** Holds a frame's head with a whole reply, and few of the bytes after it, which are copied. */
    private static final int HEAD_BYTES = 512;
    /** Linux's number, at the socket level. */
    private static final IntegerUnixChannelOption SO_RCVLOWAT = new IntegerUnixChannelOption("SO_RCVLOWAT", 1, 18);

    private static final int MOST_WAITED_FOR = 512 << 10;

    private final RecvByteBufAllocator usual;
    private final FramedConnection connection;
    private @Nullable ByteBuf room;
    /** Null until a head is awaited. */
    private @Nullable ByteBuffer headBytes;

    private @Nullable ByteBuf head;
    private int waitedFor = 1;

    Receiving(RecvByteBufAllocator usual, FramedConnection connection) {
        this.usual = usual;
        this.connection = connection;
    }

    private ByteBuf next(ByteBufAllocator allocator, ExtendedHandle sizes) {
        ByteBuffer place = connection.room();
        if (place != null) {
            ByteBuf into = Unpooled.wrappedBuffer(place).clear();
            room = into;
            return into;
        }
        return connection.isHeadNear() ? head(allocator) : sizes.allocate(allocator);
    }

    private ByteBuf head(ByteBufAllocator allocator) {
        ByteBuf before = head;
        if (before != null && before.refCnt() > 0) {
            // The decoder has part of a head.
            return allocator.ioBuffer(HEAD_BYTES, HEAD_BYTES);
        }
        ByteBuffer bytes = headBytes == null ? ByteBuffer.allocateDirect(HEAD_BYTES) : headBytes;
        headBytes = bytes;
        ByteBuf fresh = Unpooled.wrappedBuffer(bytes).clear();
        head = fresh;
        return fresh;
    }

    /** Tells the connection of bytes that are in their place; returns false for any other bytes. */
    @SuppressWarnings("ReferenceEquality") // That very buffer.
    boolean haveCome(Object received) {
        if (!(received instanceof ByteBuf bytes) || bytes != room) {
            return false;
        }
        room = null;
        int count = bytes.readableBytes();
        bytes.release();
        connection.came(count);
        return true;
    }

    /** Lets the event loop sleep until much of a reply's tail is there, rather than wake for each segment. */
    void waitForMore(Channel channel) {
        int wanted = Math.max(1, Math.min(connection.tailLeft(), MOST_WAITED_FOR));
        if (wanted != waitedFor && channel instanceof EpollSocketChannel) {
            waitedFor = wanted;
            channel.config().setOption(SO_RCVLOWAT, wanted);
        }
    }

    @Override
    public ExtendedHandle newHandle() {
        return new InPlace((ExtendedHandle) usual.newHandle());
    }

    /** Decides as usual how often to read. */
    private final class InPlace extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle sizes;

        InPlace(ExtendedHandle sizes) {
            super(sizes);
            this.sizes = sizes;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return next(allocator, sizes);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return sizes.continueReading(maybeMore);
        }
    }
}
