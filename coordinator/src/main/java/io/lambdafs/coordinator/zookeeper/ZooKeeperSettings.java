package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.auth.Secret;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings for connecting to ZooKeeper. Immutable.
 *
 * @param connection host:port, several separated by commas, as ZooKeeper writes it; an embedded server or an external ensemble
 * @param fileSystem name of the file system, 1–64 letters, digits, dots, dashes and underscores: nodes are below
 *     {@code /lambdafs/<fileSystem>}
 * @param secret of the cluster; a password derived from it protects the nodes. Null leaves them open to anyone
 * @param proof whether the server must first prove knowledge of the secret, as an embedded one can
 * @param times of the protocol; {@link Times#session} is the session timeout requested from the server
 */
public record ZooKeeperSettings(
        String connection, String fileSystem, @Nullable Secret secret, boolean proof, Times times) {
    private static final String PASSWORD_PURPOSE = "zookeeper";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public ZooKeeperSettings {
        if (!NAME.matcher(fileSystem).matches()) {
            throw FsException.invalidArgument(
                    "a file system's name has 1 to 64 letters, digits, '.', '-' and '_', and begins with a letter or digit");
        }
        if (connection.isBlank()) {
            throw FsException.invalidArgument("the ZooKeeper connection is empty: give host:port[,host:port…]");
        }
    }

    /** Returns the password that protects the nodes; null if they are open. */
    @Nullable
    String password() {
        return secret == null ? null : secret.derive(PASSWORD_PURPOSE);
    }

    /** Returns the secret that the server must prove; null if none. */
    @Nullable
    Secret proved() {
        return proof ? secret : null;
    }
}
