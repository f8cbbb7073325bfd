package io.lambdafs.rpc.framing;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.ConnectionRefusedException;
import java.net.ConnectException;
import java.net.SocketAddress;

/** The failures of transports: {@code UNAVAILABLE} with the address and advice. Stateless. */
public final class Failures {
    private Failures() {}

    /** @param what the attempted action, such as "listen on" */
    public static FsException transportClosed(String what, SocketAddress address) {
        return FsException.unavailable("cannot " + what + " " + address + ": this transport is closed; make another");
    }

    public static FsException cannotListen(SocketAddress address, Throwable cause) {
        return unavailable("cannot listen on " + address, cause, "stop what holds the address or configure another");
    }

    /** Returns the failure to connect, caused by a {@link ConnectionRefusedException} if that is among the causes. */
    public static FsException cannotConnect(SocketAddress address, Throwable cause) {
        return unavailable(
                "cannot connect to " + address, refusal(cause), "check that the address is right and its process runs");
    }

    /** Returns a refusal by the system only: an unreachable address or a timeout says nothing about a listener. */
    private static Throwable refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof ConnectException && message.contains("Connection refused")) {
                return new ConnectionRefusedException(message);
            }
        }
        return failure;
    }

    private static FsException unavailable(String what, Throwable cause, String advice) {
        return FsException.unavailable(what + ": " + cause.getMessage() + "; " + advice, cause);
    }
}
