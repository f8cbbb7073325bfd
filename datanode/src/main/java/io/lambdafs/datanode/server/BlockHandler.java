package io.lambdafs.datanode.server;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.block.AbortWrite;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteOpened;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what clients ask about blocks. A connection has proved who it is once it has brought a good block token; whatever reads or writes a store runs on
 * the pool. Thread-safe.
 */
final class BlockHandler implements ConnectionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(BlockHandler.class);

    /**
     * What it works with.
     *
     * @param scheduler whose pool may block
     */
    record Context(
            BlockStore store,
            String storeName,
            BlockTokens tokens,
            Scheduler scheduler,
            ServerLimits limits,
            TransferObserver observer) {}

    private final Context context;
    private final BlockSource source;
    private final ByteBudget budget;
    private final WriteStream.Context streamParts;
    private final Set<WriteStream> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastStream = new AtomicLong();
    private volatile boolean stopping;

    /** The writes that a connection has opened. */
    private static final class Streams {
        final Map<Long, WriteStream> byNumber = new ConcurrentHashMap<>();
        volatile boolean closed;
    }

    BlockHandler(Context context) {
        this.context = context;
        source = new BlockSource(context.store());
        budget = new ByteBudget(context.limits().bufferBytes());
        streamParts = new WriteStream.Context(context.scheduler(), new Generations(), context.observer(), this::ended);
    }

    int openStreams() {
        return open.size();
    }

    long freeBufferBytes() {
        return budget.free();
    }

    /** Begins nothing more. */
    void stop() {
        stopping = true;
    }

    @Override
    public void opened(Connection connection) {
        connection.attach(new Streams());
    }

    @Override
    public void closed(Connection connection) {
        Streams streams = streams(connection);
        streams.closed = true;
        FsException why = new FsException(ErrorCode.CONNECTION_LOST, "its writer has gone");
        streams.byNumber.values().forEach(stream -> abortOnPool(stream, why));
    }

    private static Streams streams(Connection connection) {
        if (connection.attachment() instanceof Streams streams) {
            return streams;
        }
        throw new IllegalStateException("a connection without its streams");
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        try {
            if (message instanceof WriteChunk chunk) {
                stream(connection, chunk.stream()).chunk(chunk, reply);
            } else if (message instanceof ReadBlock read) {
                read(connection, read, reply);
            } else if (message instanceof ReadPieces read) {
                pieces(connection, read, reply);
            } else if (message instanceof OpenWrite openWrite) {
                open(connection, openWrite, reply);
            } else if (message instanceof FinishWrite finish) {
                stream(connection, finish.stream()).finish(finish, reply);
            } else if (message instanceof AbortWrite abort) {
                abort(connection, abort, reply);
            } else {
                throw new FsException(
                        ErrorCode.UNSUPPORTED,
                        "a datanode does not answer " + message.getClass().getSimpleName());
            }
        } catch (RuntimeException e) {
            fail(e, reply);
            if (!connection.isAuthenticated()) {
                connection.close();
            }
        }
    }

    private void fail(Throwable thrown, Consumer<Message> reply) {
        FsException typed = FsException.of(thrown);
        context.observer().failed(typed.code());
        if (typed.code() == ErrorCode.INTERNAL) {
            LOG.error("a request failed", thrown);
        } else if (typed.code() == ErrorCode.BLOCK_CORRUPT || typed.code() == ErrorCode.BLOCK_MISSING) {
            LOG.warn("{}", typed.getMessage());
        }
        reply.accept(Failed.of(typed));
    }

    private BlockToken verify(Connection connection, byte[] token, BlockToken.Mode mode) {
        BlockToken verified = context.tokens().verify(token, mode);
        if (!verified.store().equals(context.storeName())) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    verified.block().label() + " is in the block store " + verified.store() + "; this datanode serves "
                            + context.storeName());
        }
        if (stopping) {
            throw new FsException(ErrorCode.NOT_READY, "this datanode is stopping: ask another");
        }
        if (!connection.isAuthenticated()) {
            connection.markAuthenticated();
        }
        return verified;
    }

    private static WriteStream stream(Connection connection, long number) {
        WriteStream stream = streams(connection).byNumber.get(number);
        if (stream == null) {
            throw new FsException(
                    ErrorCode.NOT_FOUND, "no write " + number + " is open on this connection: write the block again");
        }
        return stream;
    }

    private void open(Connection connection, OpenWrite message, Consumer<Message> reply) {
        BlockToken token = verify(connection, message.token(), BlockToken.Mode.WRITE);
        streamParts.generations().admit(token.block());
        int window = context.limits().windowBytes();
        if (!budget.take(window)) {
            throw new FsException(
                    ErrorCode.OVERLOADED,
                    open.size() + " blocks are being written here, as many as fit in memory: ask another datanode");
        }
        try {
            context.scheduler().execute(() -> open(connection, token, reply));
        } catch (FsException full) {
            budget.giveBack(window);
            throw full;
        }
    }

    private void open(Connection connection, BlockToken token, Consumer<Message> reply) {
        int window = context.limits().windowBytes();
        WriteStream stream;
        try {
            BlockSink sink = new BlockSink(token.block(), context.store().upload(token.key()));
            stream = new WriteStream(token.block(), window, streamParts, sink);
        } catch (RuntimeException e) {
            budget.giveBack(window);
            fail(e, reply);
            return;
        }
        open.add(stream);
        long number = lastStream.incrementAndGet();
        Streams streams = streams(connection);
        streams.byNumber.put(number, stream);
        if (streams.closed) {
            stream.abort(new FsException(ErrorCode.CONNECTION_LOST, "its writer has gone"));
        }
        reply.accept(new WriteOpened(number, window));
    }

    private void ended(WriteStream stream) {
        if (open.remove(stream)) {
            budget.giveBack(context.limits().windowBytes());
        }
    }

    private void abort(Connection connection, AbortWrite message, Consumer<Message> reply) {
        @Nullable WriteStream stream = streams(connection).byNumber.remove(message.stream());
        if (stream != null) {
            abortOnPool(stream, new FsException(ErrorCode.INTERRUPTED, "its writer has given it up"));
        }
        reply.accept(Done.DONE);
    }

    private void abortOnPool(WriteStream stream, FsException why) {
        try {
            context.scheduler().execute(() -> stream.abort(why));
        } catch (FsException full) {
            LOG.debug("a write is dropped later, for being idle: {}", full.getMessage());
        }
    }

    private void read(Connection connection, ReadBlock message, Consumer<Message> reply) {
        BlockToken token = verify(connection, message.token(), BlockToken.Mode.READ);
        answer(message.length(), reply, () -> checked(token, message.offset(), message.length()));
    }

    private void pieces(Connection connection, ReadPieces message, Consumer<Message> reply) {
        BlockToken token = verify(connection, message.token(), BlockToken.Mode.READ);
        answer(message.length(), reply, () -> {
            BlockPieces pieces = source.pieces(token.key(), token.block(), message.offset(), message.length());
            return pieces != null ? pieces : checked(token, message.offset(), message.length());
        });
    }

    private BlockBytes checked(BlockToken token, long offset, int length) {
        byte[] bytes = source.read(token.key(), token.block(), offset, length);
        return new BlockBytes(offset, bytes, Seal.crc(bytes, 0, bytes.length));
    }

    private void answer(int bytes, Consumer<Message> reply, Supplier<Message> read) {
        long begun = context.scheduler().nanoTime();
        context.scheduler().execute(() -> {
            try {
                Message answer = read.get();
                context.observer().read(bytes, context.scheduler().nanoTime() - begun);
                reply.accept(answer);
            } catch (RuntimeException | OutOfMemoryError e) {
                fail(e, reply);
            }
        });
    }

    /** Drops writes that pause for too long. */
    void dropIdle() {
        long limit = context.limits().idle().toNanos();
        FsException why = new FsException(
                ErrorCode.NOT_FOUND,
                "nothing was written for " + context.limits().idle().toSeconds() + " s: write the block again");
        for (WriteStream stream : open) {
            if (stream.idleNanos() > limit) {
                stream.abort(why);
            }
        }
    }

    /** Drops all writes. */
    void abortAll() {
        FsException why = new FsException(ErrorCode.NOT_READY, "this datanode is stopping: write the block elsewhere");
        open.forEach(stream -> stream.abort(why));
    }
}
