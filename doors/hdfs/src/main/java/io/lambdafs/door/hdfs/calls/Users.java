package io.lambdafs.door.hdfs.calls;

import io.lambdafs.hadoop.LambdaFileSystem;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file systems of the users that a door acts for, one each, by the cluster's secret. At most {@value #MOST}; more
 * users are refused. Thread-safe.
 */
public final class Users implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);
    private static final int MOST = 1_000;
    /** The user of the call that this thread answers, where it came by another wire than Hadoop's RPC. */
    private static final ThreadLocal<@Nullable String> TOLD = new ThreadLocal<>();

    private final Path cluster;
    private final Map<String, LambdaFileSystem> known = new HashMap<>();

    /** @param cluster the directory with its {@code client.json} */
    public Users(Path cluster) {
        this.cluster = cluster;
    }

    /** A call to answer. */
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Answers a call that came by another wire than Hadoop's RPC, for the user that this wire has told. */
    public static <T> T as(String user, Work<T> work) throws IOException {
        TOLD.set(user);
        try {
            return work.run();
        } finally {
            TOLD.remove();
        }
    }

    /** Returns the user of the call being answered: the one of its connection, whatever its body says. */
    public static String caller() throws AccessControlException {
        String told = TOLD.get();
        if (told != null) {
            return told;
        }
        UserGroupInformation user = Server.getRemoteUser();
        if (user == null) {
            throw new AccessControlException("the connection names no user");
        }
        return user.getShortUserName();
    }

    /** Returns the file system of the call's user. */
    public LambdaFileSystem ofCaller() throws IOException {
        return of(caller());
    }

    public synchronized LambdaFileSystem of(String user) throws IOException {
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

    /** Asks the cluster for something small, as the user of this process. */
    public CompletionStage<?> reach() {
        try {
            return of(System.getProperty("user.name", "root")).client().stat(FsPath.ROOT);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
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
