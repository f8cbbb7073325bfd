package io.lambdafs.examples;

import io.lambdafs.cluster.LocalCluster;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Kills a datanode of a cluster once, as kill -9 does, when it is due, and starts it again. */
final class DatanodeKiller implements AutoCloseable {
    private static final long POLL_MILLIS = 20;
    private static final long DEAD_MILLIS = 3_000;

    private final LocalCluster cluster;
    private final String datanode;
    private final BooleanSupplier due;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean struck;

    /** @param due polled until it is true */
    DatanodeKiller(LocalCluster cluster, String datanode, BooleanSupplier due) {
        this.cluster = cluster;
        this.datanode = datanode;
        this.due = due;
        this.thread = new Thread(this::run, "kills-" + datanode);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed && !due.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            ProcessHandle process = cluster.processes().get(datanode);
            if (!closed && process != null) {
                struck = process.destroyForcibly();
                TimeUnit.MILLISECONDS.sleep(DEAD_MILLIS);
                cluster.start(LocalCluster.StartOptions.none());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it has killed the datanode. */
    boolean hasStruck() {
        return struck;
    }

    /** Waits until the datanode runs again. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
