package io.lambdafs.client.tcp;

import io.lambdafs.rpc.transports.TransportKind;

/**
 * Where an instance may dial back to, and the one-time secret that it registers with. Immutable.
 *
 * @param host as instances reach it
 * @param port 1–65535
 * @param transport what the connection must be of
 * @param registration used once, within 30 seconds, by an instance of the deployment that was called
 */
public record TcpOffer(String host, int port, TransportKind transport, String registration) {
    /** Without the secret. */
    @Override
    public String toString() {
        return "TcpOffer[" + host + ":" + port + " " + transport.label() + "]";
    }
}
