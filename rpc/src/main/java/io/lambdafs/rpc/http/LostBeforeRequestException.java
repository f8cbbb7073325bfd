package io.lambdafs.rpc.http;

import java.net.ConnectException;

/**
 * A connection opened, so that something listens at the address, but broke before any of the request was sent.
 * Immutable.
 */
public final class LostBeforeRequestException extends ConnectException {
    private static final long serialVersionUID = 1L;

    LostBeforeRequestException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage());
        initCause(cause);
    }
}
