package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.FsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link EmbeddedZooKeeper} that survives a full disk. ZooKeeper ends itself when it cannot write; it is then
 * restarted on the same port, in space reserved for that, or else once there is space again. Sessions survive if their
 * clients return in time. Thread-safe.
 */
final class LastingZooKeeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LastingZooKeeper.class);

    private final EmbeddedZooKeeper.Settings settings;
    private final DiskReserve reserve;
    private EmbeddedZooKeeper server;
    private boolean toldOfFullDisk;
    private boolean closed;

    private LastingZooKeeper(EmbeddedZooKeeper.Settings settings, EmbeddedZooKeeper server) {
        this.settings =
                new EmbeddedZooKeeper.Settings(settings.data(), settings.host(), server.port(), settings.secret());
        this.server = server;
        this.reserve = new DiskReserve(settings.data());
        reserve.keep();
    }

    /** Starts a server, as {@link EmbeddedZooKeeper#start}. */
    static LastingZooKeeper start(EmbeddedZooKeeper.Settings settings) {
        DiskReserve reserve = new DiskReserve(settings.data());
        if (reserve.isDiskFull() && reserve.giveUp()) {
            log.warn("The disk of {} is full; ZooKeeper starts in the room that was kept for that", settings.data());
        }
        return new LastingZooKeeper(settings, EmbeddedZooKeeper.start(settings));
    }

    int port() {
        return settings.port();
    }

    synchronized boolean isRunning() {
        return server.isRunning();
    }

    /**
     * Checks on the server; to be called about every second.
     *
     * @return false if it has ended for a reason other than a full disk
     */
    synchronized boolean goesOn() {
        if (closed) {
            return true;
        }
        if (server.isRunning()) {
            if (reserve.keep() && toldOfFullDisk) {
                toldOfFullDisk = false;
                log.info("The disk of {} has room again", settings.data());
            }
            return true;
        }
        return beginAnew();
    }

    private boolean beginAnew() {
        // Before there is space again, so that nothing it failed to write reaches its log later.
        server.abandon();
        boolean full = reserve.isDiskFull();
        if (full && !toldOfFullDisk) {
            toldOfFullDisk = true;
            log.warn(
                    "The disk of {} is full, and ZooKeeper has ended itself: free some space there; it begins anew by itself",
                    settings.data());
        }
        if (full && !reserve.giveUp()) {
            return true;
        }
        if (!full && !toldOfFullDisk) {
            return false;
        }
        try {
            server = EmbeddedZooKeeper.start(settings);
            log.info("ZooKeeper serves again");
        } catch (FsException e) {
            log.warn("ZooKeeper cannot begin anew yet: {}", e.getMessage());
        }
        return true;
    }

    @Override
    public synchronized void close() {
        closed = true;
        server.close();
    }
}
