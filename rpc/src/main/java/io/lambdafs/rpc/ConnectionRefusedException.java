package io.lambdafs.rpc;

import java.net.ConnectException;

/**
 * The kernel at the other end said that nothing listens at an address: the cause of the {@code UNAVAILABLE} with which
 * {@link Transport#connect} fails then. Immutable.
 */
public final class ConnectionRefusedException extends ConnectException {
    private static final long serialVersionUID = 1L;

    public ConnectionRefusedException(String message) {
        super(message);
    }

    /** Returns whether this is why a call failed. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof ConnectionRefusedException) {
                return true;
            }
        }
        return false;
    }
}
