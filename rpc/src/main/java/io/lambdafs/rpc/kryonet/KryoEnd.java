package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.EndPoint;
import com.esotericsoftware.kryonet.FrameworkMessage;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.framing.LoopResources;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A KryoNet server or client: its reader thread, and the strand in which its connections do everything else. That
 * thread holds KryoNet's locks while waiting for the strand; so nothing in the strand takes those locks, and only that
 * thread closes connections, which also keeps KryoNet's list of them consistent. Thread-safe.
 */
final class KryoEnd implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(KryoEnd.class);
    private static final int LONGEST_WAIT_MILLIS = 250;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Releases an end's selector. */
    @FunctionalInterface
    interface Disposal {
        void dispose() throws IOException;
    }

    private final EndPoint endPoint;
    private final Disposal disposal;
    private final Strand strand = new Strand();
    private final LoopResources resources;
    private final Thread thread;
    private final Queue<Runnable> afterwards = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean stopping;

    KryoEnd(EndPoint endPoint, Disposal disposal, Scheduler timers, String threadName) {
        this.endPoint = endPoint;
        this.disposal = disposal;
        resources = new LoopResources((nanos, task) -> timers.schedule(nanos, () -> strand.enter(task)));
        thread = new Thread(this, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    Strand strand() {
        return strand;
    }

    /** Returns the resources shared by its connections. */
    LoopResources resources() {
        return resources;
    }

    boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** Returns whether the caller must not wait for this end's thread. */
    boolean isCalling() {
        return isOwnThread() || strand.isHeld();
    }

    /** Counts one more connection, which keeps the thread running. */
    void joined() {
        connections.incrementAndGet();
    }

    void left() {
        connections.decrementAndGet();
    }

    /** Ends the thread with the last connection. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Completes when the thread has ended and its connections have been notified of everything. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Runs a task on the thread, outside the strand, after KryoNet's current reads. */
    void later(Runnable task) {
        afterwards.add(task);
    }

    /** Wakes the thread by a keep-alive to the peer, KryoNet's only way. */
    void wake(Connection by) {
        if (!isOwnThread()) {
            try {
                by.sendTCP(FrameworkMessage.keepAlive);
            } catch (RuntimeException e) {
                LOG.debug("{} is going down: {}", by, e.toString());
            }
        }
    }

    /** Moves bytes until stopped. */
    @Override
    public void run() {
        while (!stopping || connections.get() > 0) {
            try {
                endPoint.update(LONGEST_WAIT_MILLIS);
            } catch (IOException | RuntimeException e) {
                failed(e);
            }
            for (Runnable task = afterwards.poll(); task != null; task = afterwards.poll()) {
                task.run();
            }
        }
        dispose();
        ended.complete(null);
    }

    /**
     * Closes a failed connection. A server stays open whatever happens, because a refused connection means that its
     * process is gone.
     */
    private void failed(Exception e) {
        if (endPoint instanceof Connection connection) {
            LOG.debug("{} closes: {}", thread.getName(), KryoLog.reason(e));
            connection.close();
        } else {
            LOG.error("{} goes on after a fault", thread.getName(), e);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void dispose() {
        try {
            disposal.dispose();
        } catch (IOException e) {
            LOG.debug("{} did not end cleanly: {}", thread.getName(), e.toString());
        }
    }
}
