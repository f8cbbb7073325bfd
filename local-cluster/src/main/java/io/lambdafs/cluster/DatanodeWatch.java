package io.lambdafs.cluster;

import io.lambdafs.cluster.process.ClusterLock;
import io.lambdafs.cluster.process.ServiceProcess;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Service;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts datanodes that have ended without a stop command: their process is still recorded, and no command is
 * changing the cluster. Confined to one thread.
 */
final class DatanodeWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeWatch.class);
    private static final long LOOK_MILLIS = 1_000;
    /** The minimum interval between two starts of a datanode that keeps ending. */
    static final Duration BETWEEN_STARTS = Duration.ofSeconds(10);

    private final ClusterDirectory directory;
    private final Consumer<List<Service>> start;
    private final LongSupplier nanoTime;
    private final Map<Service, Long> startedNanos = new HashMap<>();

    DatanodeWatch(ClusterDirectory directory, Consumer<List<Service>> start) {
        this(directory, start, System::nanoTime);
    }

    DatanodeWatch(ClusterDirectory directory, Consumer<List<Service>> start, LongSupplier nanoTime) {
        this.directory = directory;
        this.start = start;
        this.nanoTime = nanoTime;
    }

    @Override
    public void run() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                look();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the datanodes that have ended. */
    void look() {
        for (int number = 1; number <= Service.MOST_DATANODES; number++) {
            Service each = Service.datanode(number);
            if (hasEnded(each) && isDue(each)) {
                try {
                    ClusterLock.ifFree(directory, () -> startAgain(each));
                } catch (RuntimeException e) {
                    LOG.error("{} has ended and cannot be started again now", each.label(), e);
                }
            }
        }
    }

    private boolean hasEnded(Service datanode) {
        ServiceProcess process = new ServiceProcess(directory, datanode);
        return process.isNoted() && process.find().isEmpty();
    }

    private boolean isDue(Service datanode) {
        Long started = startedNanos.get(datanode);
        return started == null || nanoTime.getAsLong() - started >= BETWEEN_STARTS.toNanos();
    }

    private void startAgain(Service datanode) {
        // A command may have stopped it meanwhile.
        if (hasEnded(datanode)) {
            startedNanos.put(datanode, nanoTime.getAsLong());
            LOG.warn("{} has ended and is started again", datanode.label());
            start.accept(List.of(datanode));
        }
    }
}
