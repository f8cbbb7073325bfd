package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The network shared by the in-memory channels of several instances. Ports are never reused. Thread-safe. */
public final class MemoryNetwork {
    private final Scheduler scheduler;
    private final Map<Integer, MemoryChannel> listening = new ConcurrentHashMap<>();
    private final Set<Integer> isolated = ConcurrentHashMap.newKeySet();
    private volatile Duration latency = Duration.ZERO;
    private int nextPort = 1;

    /** @param scheduler of the network itself, unaffected by frozen instances */
    public MemoryNetwork(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Creates the channel of one instance.
     *
     * @param process runs the instance's receiver; while it is frozen the instance does not answer
     */
    public MemoryChannel channel(Scheduler process) {
        return new MemoryChannel(this, process);
    }

    /** Sets the one-way latency of messages from now on. */
    public void setLatency(Duration oneWay) {
        latency = oneWay;
    }

    void isolate(int port, boolean away) {
        if (away) {
            isolated.add(port);
        } else {
            isolated.remove(port);
        }
    }

    boolean separated(int from, int to) {
        return isolated.contains(from) || isolated.contains(to);
    }

    synchronized InvalidationChannel.Endpoint listen(MemoryChannel channel) {
        int port = nextPort++;
        listening.put(port, channel);
        return new InvalidationChannel.Endpoint("memory", port);
    }

    void close(int port) {
        listening.remove(port);
    }

    @Nullable
    MemoryChannel at(int port) {
        return listening.get(port);
    }

    void after(Runnable step) {
        long nanos = latency.toNanos();
        if (nanos == 0) {
            scheduler.execute(step);
        } else {
            scheduler.schedule(nanos, step);
        }
    }
}
