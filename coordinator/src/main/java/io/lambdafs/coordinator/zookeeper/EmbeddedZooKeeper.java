package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single ZooKeeper server in this process, for clusters without an ensemble: durable (every transaction is fsynced),
 * listening on one address, without the admin server, with all four-letter commands but {@code srvr} disabled, and old
 * snapshots and logs purged. With a secret, server and client prove knowledge of it to each other before anything is
 * served. At most {@value #MAX_CONNECTIONS} connections from one address. Thread-safe.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    /** High, because all instances of a machine share one address. */
    static final int MAX_CONNECTIONS = 4_096;

    private static final Logger log = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
    /** Granularity of session timeouts, in milliseconds; the shortest session is twice this. */
    private static final int TICK_MILLIS = 500;

    private static final int LONGEST_SESSION_MILLIS = 60_000;
    private static final int BACKLOG = 1_024;
    private static final int KEPT_SNAPSHOTS = 3;
    private static final int PURGE_HOURS = 1;

    private final Settings settings;
    private final NIOServerCnxnFactory connections;
    private final ZooKeeperServer server;
    private final FileTxnSnapLog files;
    private final DatadirCleanupManager purge;
    private final FileChannel lock;
    private volatile boolean closed;

    private EmbeddedZooKeeper(Settings settings, Started started, FileChannel lock, DatadirCleanupManager purge) {
        this.settings = settings;
        this.connections = started.connections();
        this.server = started.server();
        this.files = started.files();
        this.lock = lock;
        this.purge = purge;
    }

    /**
     * A server's data folder, address and secret. Immutable.
     *
     * @param data a folder, created if missing
     * @param port 0 takes any free one
     * @param secret of the cluster; null serves anyone
     */
    public record Settings(
            Path data, String host, int port, @Nullable Secret secret) {}

    private record Started(NIOServerCnxnFactory connections, ZooKeeperServer server, FileTxnSnapLog files) {}

    /**
     * Starts a server and waits until it serves.
     *
     * @throws FsException {@code UNAVAILABLE} if the address is in use, or the folder cannot be written or is in use by
     *     another server
     */
    public static EmbeddedZooKeeper start(Settings settings) {
        if (System.getProperty("zookeeper.4lw.commands.whitelist") == null) {
            System.setProperty("zookeeper.4lw.commands.whitelist", "srvr");
        }
        // By default, failing to write a snapshot would end the process, whatever else it does.
        ServiceUtils.setSystemExitProcedure(code -> {
            throw new IllegalStateException("ZooKeeper gives up with code " + code + "; its log says why");
        });
        FileChannel lock = lock(settings.data());
        try {
            Started started = serve(settings);
            DatadirCleanupManager purge = new DatadirCleanupManager(
                    settings.data().toFile(), settings.data().toFile(), KEPT_SNAPSHOTS, PURGE_HOURS);
            purge.start();
            EmbeddedZooKeeper running = new EmbeddedZooKeeper(settings, started, lock, purge);
            log.info("ZooKeeper serves {} from {}", running.connection(), settings.data());
            return running;
        } catch (FsException e) {
            release(lock);
            throw e;
        }
    }

    private static FileChannel lock(Path data) {
        try {
            if (!Files.isDirectory(data)) {
                Files.createDirectories(
                        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            FileChannel channel =
                    FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock held = tryLock(channel);
            if (held == null) {
                channel.close();
                throw FsException.unavailable(
                        "another ZooKeeper server uses " + data + ": stop it, or give another folder");
            }
            return channel;
        } catch (IOException e) {
            throw unusable(data, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static Started serve(Settings settings) {
        Secret secret = settings.secret();
        NIOServerCnxnFactory connections = secret == null ? new NIOServerCnxnFactory() : new ProvenConnections(secret);
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        try {
            connections.configure(address, MAX_CONNECTIONS, BACKLOG, false);
        } catch (BindException e) {
            connections.shutdown();
            throw FsException.unavailable(
                    "ZooKeeper cannot listen on " + settings.host() + ":" + settings.port() + " (" + e.getMessage()
                            + "): stop what uses that port, or give another one",
                    e);
        } catch (IOException | RuntimeException e) {
            connections.shutdown();
            throw FsException.unavailable(
                    "ZooKeeper cannot listen on " + settings.host() + ":" + settings.port() + ": " + e, e);
        }
        try {
            FileTxnSnapLog files =
                    new FileTxnSnapLog(settings.data().toFile(), settings.data().toFile());
            ZooKeeperServer server = new ZooKeeperServer(
                    files, TICK_MILLIS, 2 * TICK_MILLIS, LONGEST_SESSION_MILLIS, BACKLOG, new ZKDatabase(files), "");
            connections.startup(server);
            return new Started(connections, server, files);
        } catch (IOException e) {
            connections.shutdown();
            throw unusable(settings.data(), e);
        } catch (RuntimeException e) {
            connections.shutdown();
            throw FsException.unavailable(
                    "ZooKeeper cannot start from " + settings.data() + ": " + e + "; check the disk and its free space",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            connections.shutdown();
            throw FsException.unavailable("ZooKeeper was interrupted while it started", e);
        }
    }

    private static FsException unusable(Path data, IOException e) {
        return FileTrouble.of("ZooKeeper cannot use the folder " + data, e);
    }

    public int port() {
        return connections.getLocalPort();
    }

    /** Returns the connection string for clients, host:port. */
    public String connection() {
        return Hosts.withPort(connections.getLocalAddress().getHostString(), port());
    }

    /** Ends a client's session as its timeout would. */
    void expire(long sessionId) {
        server.closeSession(sessionId);
    }

    public boolean isClosed() {
        return closed;
    }

    /** Returns whether the server runs: false after {@link #close}, or if it ended itself, as on a disk failure. */
    public boolean isRunning() {
        return server.isRunning();
    }

    /** Ends the server; everything acknowledged is on disk. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        purge.shutdown();
        connections.shutdown();
        server.shutdown();
        try {
            files.close();
        } catch (IOException e) {
            log.warn("ZooKeeper's log was not closed: {}", e.toString());
        }
        release(lock);
        log.info("ZooKeeper has stopped");
    }

    /**
     * Closes a server that has ended itself and cuts non-durable data off its log: half a record, possibly written
     * twice, would prevent a restart.
     */
    synchronized void abandon() {
        if (closed) {
            return;
        }
        long durable = server.getZKDatabase().getDataTreeLastProcessedZxid();
        close();
        File data = settings.data().toFile();
        try {
            FileTxnSnapLog written = new FileTxnSnapLog(data, data);
            try {
                written.truncateLog(durable);
            } finally {
                written.close();
            }
        } catch (IOException e) {
            log.warn("ZooKeeper's log was not cut back to {}: {}", durable, e.toString());
        }
    }

    private static void release(FileChannel lock) {
        try {
            lock.close();
        } catch (IOException e) {
            log.warn("The lock of ZooKeeper's folder was not released: {}", e.toString());
        }
    }
}
