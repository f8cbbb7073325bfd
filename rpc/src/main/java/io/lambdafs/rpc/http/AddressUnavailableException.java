package io.lambdafs.rpc.http;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A server could not listen on an address: its port is in use, or the address is not this machine's. */
public final class AddressUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final InetSocketAddress address;

    AddressUnavailableException(InetSocketAddress address, Throwable cause) {
        super(
                "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage(),
                cause);
        this.address = address;
    }

    /** Returns the requested address. */
    public InetSocketAddress address() {
        return address;
    }
}
