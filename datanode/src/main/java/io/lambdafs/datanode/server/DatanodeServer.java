package io.lambdafs.datanode.server;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.block.BlockTokens;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Serves the blocks of one block store. Thread-safe. */
public final class DatanodeServer implements AutoCloseable {
    private static final long DRAIN_LOOK_MILLIS = 10;

    private final Transport.Listener listener;
    private final BlockHandler handler;
    private final Context context;
    private final Chore sweep;

    /**
     * The parts of a server.
     *
     * @param store for blocks; the caller closes it after this
     * @param storeName its name in the metadata
     * @param transport whose codec knows the messages about blocks; the caller closes it after this
     * @param scheduler whose pool may block, and is bounded
     */
    public record Context(
            BlockStore store,
            String storeName,
            BlockTokens tokens,
            Transport transport,
            Scheduler scheduler,
            ServerLimits limits,
            TransferObserver observer) {}

    private DatanodeServer(Transport.Listener listener, BlockHandler handler, Context context) {
        this.listener = listener;
        this.handler = handler;
        this.context = context;
        this.sweep = Chore.every(context.limits().idle().toNanos() / 4, context.scheduler(), () -> {
            handler.dropIdle();
            return CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Starts to serve.
     *
     * @param address to listen at; port 0 takes any free one
     * @return the server; fails with {@code UNAVAILABLE} naming the address
     */
    public static CompletionStage<DatanodeServer> start(Context context, InetSocketAddress address) {
        BlockHandler handler = new BlockHandler(new BlockHandler.Context(
                context.store(),
                context.storeName(),
                context.tokens(),
                context.scheduler(),
                context.limits(),
                context.observer()));
        return context.transport().listen(address, handler).thenApply(listener -> {
            DatanodeServer server = new DatanodeServer(listener, handler, context);
            server.sweep.start();
            return server;
        });
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** Returns the number of blocks being written. */
    public int openStreams() {
        return handler.openStreams();
    }

    /** Returns the bytes of memory that further writes may take. */
    public long freeBufferBytes() {
        return handler.freeBufferBytes();
    }

    /**
     * Refuses further requests, and waits for the open writes.
     *
     * @return whether all of them have ended within the time
     */
    public boolean drain(long millis) throws InterruptedException {
        handler.stop();
        long end = context.scheduler().nanoTime() + millis * 1_000_000;
        while (handler.openStreams() > 0 && context.scheduler().nanoTime() - end < 0) {
            Thread.sleep(DRAIN_LOOK_MILLIS);
        }
        return handler.openStreams() == 0;
    }

    /** Accepts no further connections, and aborts the open writes. */
    @Override
    public void close() {
        sweep.close();
        handler.stop();
        listener.close();
        handler.abortAll();
    }
}
