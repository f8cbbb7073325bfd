package io.lambdafs.client.transport;

import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Hosts;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects whether instances can reach this client. A client behind a NAT, or without an address in the instances'
 * network, offers connections that cannot be opened: after several answered calls and some seconds without any
 * connection it stops offering for increasing periods, and its requests go by HTTP only. Thread-safe.
 */
final class Reach {
    /** Answered calls, and time since the first of them, after which a connection should exist. */
    private static final int CALLS = 8;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final Logger LOG = LoggerFactory.getLogger(Reach.class);

    private final Scheduler scheduler;
    private int answered;
    private long since;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean pauses;
    private long pausedUntil;

    Reach(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Returns whether a call should offer connections.
     *
     * @param connected whether any instance is connected
     */
    synchronized boolean mayOffer(boolean connected) {
        if (connected) {
            answered = 0;
            pauses = false;
            pauseNanos = FIRST_PAUSE_NANOS;
            return true;
        }
        if (pauses && scheduler.nanoTime() - pausedUntil < 0) {
            return false;
        }
        pauses = false;
        return true;
    }

    /** Notes that a call with this offer was answered. */
    synchronized void answered(TcpOffer offer) {
        long now = scheduler.nanoTime();
        if (answered++ == 0) {
            since = now;
        }
        if (pauses || answered < CALLS || now - since < PATIENCE_NANOS) {
            return;
        }
        LOG.info(
                "No instance has reached this client at {}, behind a NAT perhaps: requests go by HTTP alone for {} s. Set"
                        + " tcp.advertised-host to an address that instances reach, or tcp.enabled to false",
                Hosts.withPort(offer.host(), offer.port()),
                TimeUnit.NANOSECONDS.toSeconds(pauseNanos));
        pauses = true;
        pausedUntil = now + pauseNanos;
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        answered = 0;
    }
}
