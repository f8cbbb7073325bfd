package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.rpc.auth.ByteProof;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.zookeeper.server.NIOServerCnxn;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ProvenServerCnxn;

/**
 * Accepts a ZooKeeper server's connections, on which both ends first prove knowledge of the cluster's secret.
 * Thread-safe.
 */
final class ProvenConnections extends NIOServerCnxnFactory {
    private final Secret secret;

    ProvenConnections(Secret secret) {
        this.secret = secret;
    }

    /** Returns the service name used in the proof, so that a proof for another port is worthless. */
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
