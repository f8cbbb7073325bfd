package io.lambdafs.benchmarks;

import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** A wire that keeps the bytes sent until they are handed to the other end. Confined to one thread. */
final class Tape implements Wire {
    private @Nullable ByteBuf sent;

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public long waitingBytes() {
        return 0;
    }

    @Override
    public ByteBuf buffer(int bytes) {
        return PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
    }

    @Override
    public void send(ByteBuf frames) {
        sent = frames;
    }

    @Override
    public void close() {
        throw new IllegalStateException("nothing is to go wrong here");
    }

    /** Hands the bytes sent to a connection and returns their number. */
    int to(FramedConnection other) {
        ByteBuf frames = sent;
        if (frames == null) {
            throw new IllegalStateException("nothing was sent");
        }
        sent = null;
        int bytes = frames.readableBytes();
        other.beginBatch();
        other.read(frames);
        other.endBatch(0);
        frames.release();
        return bytes;
    }
}
