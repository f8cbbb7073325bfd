package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Instances in one thread over a network in memory, in time that only {@link #await} and {@link #pass} move. */
public abstract class ManualEnvironment implements FaultyEnvironment {
    private final ManualScheduler clock;
    private final MemoryStore store;
    private final MemoryNetwork network;
    private final Channels channels;
    private final Map<String, MemoryChannel> direct = new HashMap<>();

    protected ManualEnvironment(long seed, Channels channels) {
        this.channels = channels;
        clock = new ManualScheduler(seed);
        store = new MemoryStore(clock);
        network = new MemoryNetwork(clock);
        network.setLatency(Duration.ofMillis(1));
    }

    public MemoryNetwork network() {
        return network;
    }

    @Override
    public ManualScheduler clock() {
        return clock;
    }

    @Override
    public MemoryStore store() {
        return store;
    }

    @Override
    public Times times() {
        return Times.DEFAULT;
    }

    @Override
    public InvalidationChannel channel(ProcessScheduler process, String instance, Coordinator connection) {
        MemoryChannel own = network.channel(process);
        direct.put(instance, own);
        return channels.over(own, connection, instance, process);
    }

    @Override
    public MemoryChannel direct(String instance) {
        return Objects.requireNonNull(direct.get(instance));
    }

    @Override
    public void close() {
        store.close();
    }
}
