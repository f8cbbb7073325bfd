package io.lambdafs.client.tcp;

import io.lambdafs.rpc.transports.TransportKind;

/**
 * An offer to an instance to dial back: the address and a one-time registration secret. Immutable.
 *
 * @param host at which instances reach it
 * @param port 1–65535
 * @param transport kind of the connection
 * @param registration used once, within 30 seconds, by an instance of the deployment that was called
 */
public record TcpOffer(String host, int port, TransportKind transport, String registration) {
    /** Omits the secret. */
    @Override
    public String toString() {
        return "TcpOffer[" + host + ":" + port + " " + transport.label() + "]";
    }
}
