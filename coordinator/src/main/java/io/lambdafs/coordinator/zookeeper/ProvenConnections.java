package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.rpc.auth.ByteProof;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.zookeeper.server.NIOServerCnxn;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ProvenServerCnxn;

/** Accepts a server's connections, on each of which both ends first prove to have the cluster's secret. Thread-safe. */
final class ProvenConnections extends NIOServerCnxnFactory {
    private final Secret secret;

    ProvenConnections(Secret secret) {
        this.secret = secret;
    }

    /** The name by which the ends of a connection prove themselves: a proof for another port is good for nothing. */
    static String service(int port) {
        return "zookeeper:" + port;
    }

    @Override
    protected NIOServerCnxn createConnection(SocketChannel channel, SelectionKey key, SelectorThread thread)
            throws IOException {
        return new ProvenServerCnxn(
                zkServer,
                new ProvenServerCnxn.Accepted(channel, key, thread),
                this,
                new ByteProof(secret, service(getLocalPort())));
    }
}
