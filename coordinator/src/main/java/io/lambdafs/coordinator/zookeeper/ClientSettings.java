package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.rpc.auth.ByteProof;
import io.lambdafs.rpc.auth.Secret;
import java.util.Objects;
import org.apache.zookeeper.ProvingClientSocket;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the ZooKeeper client: its defaults, without SASL and TLS, neither of which λFS uses here, and where the server is the cluster's
 * own with a socket on which both ends prove themselves first. The library's own constructor reads the certificates of all authorities that
 * the JDK trusts, only to learn the names of settings: a tenth of what a cold start takes. Thread-safe.
 */
public final class ClientSettings extends ZKClientConfig {
    private final @Nullable Secret secret;
    private volatile @Nullable String refusal;

    /** @param secret what the server must prove to have; null asks it for no proof */
    ClientSettings(@Nullable Secret secret) {
        this.secret = secret;
        setProperty(ENABLE_CLIENT_SASL_KEY, "false");
        if (secret != null) {
            setProperty(ZOOKEEPER_CLIENT_CNXN_SOCKET, ProvingClientSocket.class.getName());
        }
    }

    /** Called by the constructor above; would read system properties, those of TLS among them. */
    @Override
    protected void handleBackwardCompatibility() {}

    /** Begins the proof on a connection to the server at a port. */
    public ByteProof proof(int port) {
        return new ByteProof(Objects.requireNonNull(secret), ProvenConnections.service(port));
    }

    /** Notes that the server has proved itself. */
    public void proved() {
        refusal = null;
    }

    /** Notes that it has not, and why, for the messages of what fails; returns that. */
    public String refused(String why) {
        refusal = why;
        return why;
    }

    /** Returns why the last server that was dialled was sent nothing; null where it has proved itself, or none was reached. */
    @Nullable
    String refusal() {
        return refusal;
    }
}
