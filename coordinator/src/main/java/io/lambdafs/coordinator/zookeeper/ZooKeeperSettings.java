package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Times;
import io.lambdafs.rpc.auth.Secret;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an instance finds ZooKeeper. Immutable.
 *
 * @param connection host:port, several separated by commas, as ZooKeeper writes it; an embedded server or an external ensemble
 * @param fileSystem name of the file system, 1–64 letters, digits, dots, dashes and underscores: nodes are below
 *     {@code /lambdafs/<fileSystem>}
 * @param secret of the cluster; a password that is derived from it closes the nodes. Null leaves them open to everybody
 * @param proof whether the server must prove to have the secret before it is sent anything, as an embedded one can
 * @param times of the protocol; {@link Times#session} is the session time-out that is asked of the server
 */
public record ZooKeeperSettings(
        String connection, String fileSystem, @Nullable Secret secret, boolean proof, Times times) {
    private static final String PASSWORD_PURPOSE = "zookeeper";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public ZooKeeperSettings {
        if (!NAME.matcher(fileSystem).matches()) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a file system's name has 1 to 64 letters, digits, '.', '-' and '_', and begins with a letter or digit");
        }
        if (connection.isBlank()) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, "the ZooKeeper connection is empty: give host:port[,host:port…]");
        }
    }

    /** Returns what the nodes are closed with; null where they are open. */
    @Nullable
    String password() {
        return secret == null ? null : secret.derive(PASSWORD_PURPOSE);
    }

    /** Returns what the server must prove to have; null where it need not. */
    @Nullable
    Secret proved() {
        return proof ? secret : null;
    }
}
