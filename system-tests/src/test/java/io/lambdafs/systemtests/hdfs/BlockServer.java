package io.lambdafs.systemtests.hdfs;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.server.DatanodeServer;
import io.lambdafs.datanode.server.ServerLimits;
import io.lambdafs.datanode.server.TransferObserver;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.LiveDatanodes;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;

/** A datanode within this JVM, whose objects outlive it, and what says in the metadata that it lives. Thread-safe. */
final class BlockServer implements Closeable {
    private static final String STORE = "memory";

    private final String id;
    private final MetadataStore metadata;
    private final SystemScheduler scheduler = new SystemScheduler("datanode", 4, 10_000);
    private final NettyTransport transport =
            new NettyTransport(BlockMessages.codec(), 1, "datanode-io", ServerLimits.transport());
    private final DatanodeServer server;
    private volatile boolean closed;

    BlockServer(String id, BlockStore blocks, MetadataStore metadata) {
        this.id = id;
        this.metadata = metadata;
        server = DatanodeServer.start(
                        new DatanodeServer.Context(
                                blocks,
                                STORE,
                                BlockTokens.of(null, InstantSource.system()),
                                transport,
                                scheduler,
                                ServerLimits.DEFAULT,
                                TransferObserver.NONE),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
        beat();
    }

    int port() {
        return server.address().getPort();
    }

    private void beat() {
        if (closed) {
            return;
        }
        Datanode row = new Datanode(
                new DatanodeAddress(id, "127.0.0.1", port()),
                STORE,
                Datanode.State.SERVING,
                0,
                0,
                scheduler.currentTimeMillis());
        metadata.begin(0)
                .commit(List.of(new Mutation.Put(row.row())), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
        try {
            scheduler.schedule(LiveDatanodes.HEARTBEAT_NANOS, this::beat);
        } catch (FsException stopping) {
            closed = true;
        }
    }

    /** As if it were killed: nobody is told. */
    @Override
    public void close() {
        closed = true;
        server.close();
        transport.close();
        scheduler.close();
    }
}
