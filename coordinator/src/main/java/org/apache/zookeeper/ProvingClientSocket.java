package org.apache.zookeeper;

import io.lambdafs.coordinator.zookeeper.ClientSettings;
import io.lambdafs.rpc.auth.ByteProof;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Queue;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper client socket that first lets the server prove knowledge of the cluster's secret; only then does it send
 * ZooKeeper's protocol, whose first message contains the session password. In this package because ZooKeeper's sockets
 * can only be extended here. Confined to the client's sending thread.
 */
@NullMarked
public final class ProvingClientSocket extends ClientCnxnSocketNIO {
    private static final int READ_AND_WRITE = SelectionKey.OP_READ | SelectionKey.OP_WRITE;

    private final ClientSettings settings;
    private @Nullable SocketChannel channel;
    private @Nullable Exchange exchange;

    /** Called by ZooKeeper, by this class's name. */
    public ProvingClientSocket(ZKClientConfig settings) throws IOException {
        super(settings);
        this.settings = (ClientSettings) settings;
    }

    /** The exchange before ZooKeeper's protocol; null afterwards. */
    private static final class Exchange {
        private final InetSocketAddress address;
        private final ByteProof proof;
        private final ByteBuffer reply = ByteBuffer.allocate(ByteProof.REPLY_BYTES);
        private ByteBuffer out;
        private boolean isProved;

        Exchange(InetSocketAddress address, ByteProof proof) {
            this.address = address;
            this.proof = proof;
            this.out = ByteBuffer.wrap(proof.hello());
        }
    }

    @Override
    void connect(InetSocketAddress address) throws IOException {
        exchange = new Exchange(address, settings.proof(address.getPort()));
        super.connect(address);
    }

    @Override
    SocketChannel createSock() throws IOException {
        SocketChannel made = super.createSock();
        channel = made;
        return made;
    }

    @Override
    void doIO(Queue<ClientCnxn.Packet> pending, ClientCnxn client) throws InterruptedException, IOException {
        Exchange under = exchange;
        if (under == null) {
            super.doIO(pending, client);
        } else {
            advance(under, Objects.requireNonNull(channel));
        }
    }

    private void advance(Exchange under, SocketChannel to) throws IOException {
        SelectionKey key = to.keyFor(getSelector());
        if (key.isReadable() && !under.isProved) {
            receive(under, to);
        }
        if (under.out.hasRemaining()) {
            to.write(under.out);
        }
        boolean isOver = under.isProved && !under.out.hasRemaining();
        if (isOver) {
            exchange = null;
            updateLastSendAndHeard();
        }
        key.interestOps(isOver || under.out.hasRemaining() ? READ_AND_WRITE : SelectionKey.OP_READ);
    }

    private void receive(Exchange under, SocketChannel from) throws IOException {
        int read = from.read(under.reply);
        byte[] answer = under.reply.hasRemaining() ? null : under.proof.answer(under.reply.array());
        if (answer != null) {
            under.out = ByteBuffer.wrap(answer);
            under.isProved = true;
            settings.proved();
        } else if (read < 0 || !under.reply.hasRemaining()) {
            throw new IOException(settings.refused(under.proof.unproved(under.address)));
        }
    }
}
