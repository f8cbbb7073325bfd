package io.lambdafs.datanode.server;

import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.message.Charged;
import io.lambdafs.rpc.message.Message;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Answers reads on the pool. Limits the bytes that a connection has requested and not yet received, and, over all
 * connections, the bytes read that stay in memory until the transport takes them: a thread of the pool waits for room,
 * which comes as fast as event loops copy. Thread-safe.
 */
final class BlockReads {
    private static final int PERMIT_BYTES = 1 << 10;
    /** Much longer than an event loop needs. */
    private static final long ROOM_SECONDS = 10;

    private final BlockHandler.Context context;
    private final BlockSource source;
    private final Semaphore room;

    BlockReads(BlockHandler.Context context) {
        this.context = context;
        source = new BlockSource(context.store());
        room = new Semaphore(Math.toIntExact(context.limits().readBytes() / PERMIT_BYTES), true);
    }

    /** Returns the memory that a read takes: whole granules are read, and the requested range is copied out of them. */
    static int heldBytes(int length) {
        return 2 * length + 2 * Seal.GRANULE;
    }

    /** @param asked the bytes that its connection waits for */
    void read(BlockToken token, ReadBlock message, AtomicLong asked, Consumer<Message> reply) {
        answer(message.length(), asked, reply, () -> checked(token, message.offset(), message.length()));
    }

    void pieces(BlockToken token, ReadPieces message, AtomicLong asked, Consumer<Message> reply) {
        answer(message.length(), asked, reply, () -> {
            BlockPieces pieces = source.pieces(token.key(), token.block(), message.offset(), message.length());
            return pieces != null ? pieces : checked(token, message.offset(), message.length());
        });
    }

    private Message checked(BlockToken token, long offset, int length) {
        int permits = heldBytes(length) / PERMIT_BYTES;
        take(permits);
        try {
            byte[] bytes = source.read(token.key(), token.block(), offset, length);
            BlockBytes answer = new BlockBytes(offset, bytes, Seal.crc(bytes, 0, bytes.length));
            return new Charged(answer, () -> room.release(permits));
        } catch (RuntimeException | OutOfMemoryError e) {
            room.release(permits);
            throw e;
        }
    }

    private void take(int permits) {
        try {
            if (room.tryAcquire(permits, ROOM_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        throw new FsException(
                ErrorCode.OVERLOADED, "too much is being read here: repeat later, or ask another datanode");
    }

    private void answer(int length, AtomicLong asked, Consumer<Message> reply, Supplier<Message> read) {
        // An open file counts too.
        int cost = Math.max(length, Seal.GRANULE);
        if (asked.addAndGet(cost) > ServerLimits.ASKED_PER_CONNECTION) {
            asked.addAndGet(-cost);
            throw new FsException(
                    ErrorCode.OVERLOADED,
                    "more than " + ServerLimits.ASKED_PER_CONNECTION
                            + " bytes are asked for on this connection: repeat later");
        }
        long begun = context.scheduler().nanoTime();
        try {
            context.scheduler().execute(() -> {
                Message answer;
                try {
                    answer = read.get();
                    context.observer().read(length, context.scheduler().nanoTime() - begun);
                } catch (RuntimeException | OutOfMemoryError e) {
                    answer = BlockHandler.failed(context.observer(), e);
                }
                asked.addAndGet(-cost);
                reply.accept(answer);
            });
        } catch (FsException full) {
            asked.addAndGet(-cost);
            throw full;
        }
    }
}
