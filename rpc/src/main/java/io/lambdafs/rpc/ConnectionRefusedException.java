package io.lambdafs.rpc;

import java.net.ConnectException;

/**
 * The peer's kernel refused a connection because nothing listens at the address. It is the cause of the {@code
 * UNAVAILABLE} with which {@link Transport#connect} fails. Immutable.
 */
public final class ConnectionRefusedException extends ConnectException {
    private static final long serialVersionUID = 1L;

    public ConnectionRefusedException(String message) {
        super(message);
    }

    /** Returns whether a failure was caused by a refused connection. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof ConnectionRefusedException) {
                return true;
            }
        }
        return false;
    }
}
