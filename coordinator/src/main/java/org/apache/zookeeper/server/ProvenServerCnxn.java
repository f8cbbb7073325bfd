package org.apache.zookeeper.server;

import io.lambdafs.rpc.auth.ByteProof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper server connection that serves nothing until both ends have proved knowledge of the cluster's secret. In
 * this package because ZooKeeper's connections can only be extended here. Called by one server thread at a time.
 */
@NullMarked
public final class ProvenServerCnxn extends NIOServerCnxn {
    private static final Logger log = LoggerFactory.getLogger(ProvenServerCnxn.class);

    private final SocketChannel channel;
    /** Null once the other end has proved itself. */
    private @Nullable ByteProof proof;

    /** The hello at first, then the answer. */
    private ByteBuffer in = ByteBuffer.allocate(ByteProof.HELLO_BYTES);

    private boolean hasReplied;

    /** Called by the factory for an accepted connection. */
    public ProvenServerCnxn(ZooKeeperServer server, Accepted accepted, NIOServerCnxnFactory factory, ByteProof proof)
            throws IOException {
        super(server, accepted.channel(), accepted.key(), factory, accepted.thread());
        this.channel = accepted.channel();
        this.proof = proof;
    }

    /** An accepted connection with ZooKeeper's objects that serve it. */
    public record Accepted(SocketChannel channel, SelectionKey key, NIOServerCnxnFactory.SelectorThread thread) {}

    @Override
    void doIO(SelectionKey key) throws InterruptedException {
        ByteProof under = proof;
        if (under == null) {
            super.doIO(key);
            return;
        }
        try {
            if (key.isReadable()) {
                advance(under);
            }
        } catch (IOException e) {
            log.debug("{} ended before it had proved itself: {}", getRemoteSocketAddress(), e.toString());
            close(DisconnectReason.IO_EXCEPTION);
        }
    }

    private void advance(ByteProof under) throws IOException {
        if (channel.read(in) < 0) {
            throw new IOException("the other end has closed the connection");
        }
        if (in.hasRemaining()) {
            return;
        }
        if (!hasReplied) {
            hasReplied = true;
            ByteBuffer reply = ByteBuffer.wrap(under.reply(in.array()));
            channel.write(reply);
            if (reply.hasRemaining()) {
                throw new IOException("the other end takes nothing");
            }
            in = ByteBuffer.allocate(ByteProof.ANSWER_BYTES);
        } else if (under.isGood(in.array())) {
            proof = null;
        } else {
            log.warn(
                    "refused {}: it has not proved to be of this cluster; check its secret file",
                    getRemoteSocketAddress());
            close(DisconnectReason.CLIENT_CLOSED_CONNECTION);
        }
    }
}
