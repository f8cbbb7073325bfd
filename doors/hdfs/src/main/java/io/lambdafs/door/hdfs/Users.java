package io.lambdafs.door.hdfs;

import io.lambdafs.hadoop.LambdaFileSystem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file systems of the users that a door acts for, one each, by the cluster's secret. At most {@value #MOST}; more
 * users are refused. Thread-safe.
 */
final class Users implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);
    private static final int MOST = 1_000;

    private final Path cluster;
    private final Map<String, LambdaFileSystem> known = new HashMap<>();

    /** @param cluster the directory with its {@code client.json} */
    Users(Path cluster) {
        this.cluster = cluster;
    }

    /** Returns the user of the call being answered: the one of its connection, whatever its body says. */
    static String caller() throws AccessControlException {
        UserGroupInformation user = Server.getRemoteUser();
        if (user == null) {
            throw new AccessControlException("the connection names no user");
        }
        return user.getShortUserName();
    }

    /** Returns the file system of the call's user. */
    LambdaFileSystem ofCaller() throws IOException {
        return of(caller());
    }

    synchronized LambdaFileSystem of(String user) throws IOException {
        LambdaFileSystem found = known.get(user);
        if (found != null) {
            return found;
        }
        if (known.size() >= MOST) {
            throw new IOException("this door acts for " + MOST + " users already: restart it, or ask another one");
        }
        Configuration configuration = new Configuration(false);
        configuration.set("lambdafs.dir", cluster.toString());
        configuration.set("lambdafs.user", user);
        // The client has applied its own.
        configuration.set(CommonConfigurationKeys.FS_PERMISSIONS_UMASK_KEY, "000");
        LambdaFileSystem made = new LambdaFileSystem();
        made.initialize(URI.create("lambdafs:///"), configuration);
        known.put(user, made);
        return made;
    }

    @Override
    public synchronized void close() {
        for (LambdaFileSystem each : known.values()) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.warn("A user's client did not close: {}", e.toString());
            }
        }
        known.clear();
    }
}
