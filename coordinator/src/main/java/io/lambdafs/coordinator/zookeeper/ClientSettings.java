package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.rpc.auth.ByteProof;
import io.lambdafs.rpc.auth.Secret;
import java.util.Objects;
import org.apache.zookeeper.ProvingClientSocket;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the ZooKeeper client: the defaults, without SASL and TLS, which λFS does not use here; for the cluster's
 * own server, with a socket on which both ends first prove themselves. The library's own constructor reads all CA
 * certificates trusted by the JDK just to learn setting names, which takes a tenth of a cold start. Thread-safe.
 */
public final class ClientSettings extends ZKClientConfig {
    private final @Nullable Secret secret;
    private volatile @Nullable String refusal;

    /** @param secret that the server must prove; null for no proof */
    ClientSettings(@Nullable Secret secret) {
        this.secret = secret;
        setProperty(ENABLE_CLIENT_SASL_KEY, "false");
        if (secret != null) {
            setProperty(ZOOKEEPER_CLIENT_CNXN_SOCKET, ProvingClientSocket.class.getName());
        }
    }

    /** Called by the superclass constructor; would read system properties, including those of TLS. */
    @Override
    protected void handleBackwardCompatibility() {}

    /** Starts the proof on a connection to the server at a port. */
    public ByteProof proof(int port) {
        return new ByteProof(Objects.requireNonNull(secret), ProvenConnections.service(port));
    }

    /** Notes that the server has proved itself. */
    public void proved() {
        refusal = null;
    }

    /** Notes why it has not, for the error messages of later failures; returns the reason. */
    public String refused(String why) {
        refusal = why;
        return why;
    }

    /** Returns why nothing was sent to the last server dialled; null if it proved itself or none was reached. */
    @Nullable
    String refusal() {
        return refusal;
    }
}
