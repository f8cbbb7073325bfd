package io.lambdafs.datanode.server;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.block.AbortWrite;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers clients' requests about blocks. A connection is authenticated once it has presented a valid block token; all
 * store accesses run on the pool. Thread-safe.
 */
final class BlockHandler implements ConnectionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(BlockHandler.class);

    /**
     * The parts that it works with.
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
    private final BlockReads reads;
    private final Shares slots = new Shares(ServerLimits.STREAMS);
    private final WriteStream.Context streamParts;
    /** The open writes, each with its number on its connection. */
    private final Map<WriteStream, Opened> open = new ConcurrentHashMap<>();
    /** The keys of attempts being written. */
    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    private final AtomicLong lastStream = new AtomicLong();
    private volatile boolean stopping;

    private record Opened(Streams by, long number, BlockToken token) {}

    /** A connection's unfinished writes, and the bytes that it has requested. */
    private static final class Streams {
        final Map<Long, WriteStream> byNumber = new ConcurrentHashMap<>();
        final AtomicLong asked = new AtomicLong();
        volatile boolean closed;
    }

    BlockHandler(Context context) {
        this.context = context;
        reads = new BlockReads(context);
        streamParts = new WriteStream.Context(
                context.scheduler(),
                new Generations(),
                new Shares(context.limits().bufferBytes()),
                context.observer(),
                context.tokens(),
                this::ended);
    }

    int openStreams() {
        return open.size();
    }

    long freeBufferBytes() {
        return streamParts.buffer().free();
    }

    /** Refuses further requests. */
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
                BlockToken token = verify(connection, read.token(), BlockToken.Mode.READ);
                reads.read(token, read, streams(connection).asked, reply);
            } else if (message instanceof ReadPieces read) {
                BlockToken token = verify(connection, read.token(), BlockToken.Mode.READ);
                reads.pieces(token, read, streams(connection).asked, reply);
            } else if (message instanceof OpenWrite openWrite) {
                open(connection, openWrite, reply);
            } else if (message instanceof FinishWrite finish) {
                stream(connection, finish.stream()).finish(finish, reply);
            } else if (message instanceof FinishForReceipt finish) {
                stream(connection, finish.stream()).finish(finish, reply);
            } else if (message instanceof AbortWrite abort) {
                abort(connection, abort, reply);
            } else {
                throw new FsException(
                        ErrorCode.UNSUPPORTED,
                        "a datanode does not answer " + message.getClass().getSimpleName());
            }
        } catch (RuntimeException e) {
            reply.accept(failed(context.observer(), e));
            if (!connection.isAuthenticated()) {
                connection.close();
            }
        }
    }

    /** Returns the answer for a failure. */
    static Message failed(TransferObserver observer, Throwable thrown) {
        FsException typed = FsException.of(thrown);
        observer.failed(typed.code());
        if (typed.code() == ErrorCode.INTERNAL) {
            LOG.error("a request failed", thrown);
        } else if (typed.code() == ErrorCode.BLOCK_CORRUPT || typed.code() == ErrorCode.BLOCK_MISSING) {
            LOG.warn("{}", typed.getMessage());
        }
        return Failed.of(typed);
    }

    private BlockToken verify(Connection connection, byte[] token, BlockToken.Mode mode) {
        BlockToken verified = context.tokens().verify(token, mode);
        if (!verified.store().equals(context.storeName())) {
            throw FsException.invalidArgument(verified.block().label() + " is in the block store " + verified.store()
                    + "; this datanode serves " + context.storeName());
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
        if (streams(connection).byNumber.size() >= ServerLimits.STREAMS_PER_CONNECTION) {
            throw new FsException(ErrorCode.OVERLOADED, "this connection writes too many blocks: open another");
        }
        if (!keys.add(token.key())) {
            throw new FsException(
                    ErrorCode.NOT_READY,
                    "this attempt to write " + token.block().label() + " is under way already: ask for another");
        }
        if (!slots.take(token.user(), 1)) {
            keys.remove(token.key());
            throw new FsException(
                    ErrorCode.OVERLOADED,
                    open.size()
                            + " blocks are being written here, as many as it takes, or as one user may: ask another datanode");
        }
        try {
            context.scheduler().execute(() -> open(connection, token, reply));
        } catch (FsException full) {
            leave(token);
            throw full;
        }
    }

    private void open(Connection connection, BlockToken token, Consumer<Message> reply) {
        int window = window();
        WriteStream stream;
        try {
            BlockSink sink = new BlockSink(token.block(), context.store().upload(token.key()));
            stream = new WriteStream(token, window, streamParts, sink);
        } catch (RuntimeException e) {
            leave(token);
            reply.accept(failed(context.observer(), e));
            return;
        }
        long number = lastStream.incrementAndGet();
        Streams streams = streams(connection);
        open.put(stream, new Opened(streams, number, token));
        streams.byNumber.put(number, stream);
        if (streams.closed) {
            stream.abort(new FsException(ErrorCode.CONNECTION_LOST, "its writer has gone"));
        }
        reply.accept(new WriteOpened(number, window));
    }

    /** Returns a smaller window if many blocks are being written, so that all their chunks fit in memory. */
    private int window() {
        int whole = context.limits().windowBytes();
        return open.size() < context.limits().bufferBytes() / 2 / whole ? whole : whole / 4;
    }

    private void leave(BlockToken token) {
        slots.giveBack(token.user(), 1);
        keys.remove(token.key());
    }

    private void ended(WriteStream stream) {
        Opened opened = open.remove(stream);
        if (opened != null) {
            leave(opened.token());
            // A failed one tells the reason to a writer that sends more.
            if (stream.isFinished()) {
                opened.by().byNumber.remove(opened.number());
            }
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

    /** Aborts writes that pause for too long. */
    void dropIdle() {
        long limit = context.limits().idle().toNanos();
        FsException why = new FsException(
                ErrorCode.NOT_FOUND,
                "nothing was written for " + context.limits().idle().toSeconds() + " s: write the block again");
        for (WriteStream stream : open.keySet()) {
            if (stream.idleNanos() > limit) {
                stream.abort(why);
            }
        }
    }

    /** Aborts all writes. */
    void abortAll() {
        FsException why = new FsException(ErrorCode.NOT_READY, "this datanode is stopping: write the block elsewhere");
        open.keySet().forEach(stream -> stream.abort(why));
    }
}
