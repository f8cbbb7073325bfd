package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.FaultyEnvironment;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.RemoteStore;
import io.lambdafs.model.Times;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Coordinators over one store in memory, in time that only {@link #await} and {@link #pass} move. */
public final class StoreEnvironment implements FaultyEnvironment {
    private final ManualScheduler clock;
    private final MemoryStore store;
    private final MemoryNetwork network;
    private final Channels channels;
    private final Map<Coordinator, RemoteStore> links = new HashMap<>();
    private final Map<String, MemoryChannel> direct = new HashMap<>();
    private Duration latency = Duration.ofMillis(1);

    public StoreEnvironment(long seed, Channels channels) {
        this.channels = channels;
        clock = new ManualScheduler(seed);
        store = new MemoryStore(clock);
        network = new MemoryNetwork(clock);
        network.setLatency(Duration.ofMillis(1));
    }

    @Override
    public void setLatency(Duration oneWay) {
        latency = oneWay;
    }

    @Override
    public void partition(Coordinator coordinator) {
        Objects.requireNonNull(links.get(coordinator)).partition();
    }

    @Override
    public void heal(Coordinator coordinator) {
        Objects.requireNonNull(links.get(coordinator)).heal();
    }

    @Override
    public MemoryChannel direct(String instance) {
        return Objects.requireNonNull(direct.get(instance));
    }

    @Override
    public ManualScheduler clock() {
        return clock;
    }

    @Override
    public MetadataStore store() {
        return store;
    }

    @Override
    public Times times() {
        return Times.DEFAULT;
    }

    @Override
    public Coordinator connect(ProcessScheduler process) {
        RemoteStore link = new RemoteStore(store, clock, process, () -> latency);
        StoreCoordinator coordinator = new StoreCoordinator(link, process, times());
        links.put(coordinator, link);
        return coordinator;
    }

    @Override
    public InvalidationChannel channel(ProcessScheduler process, String instance, Coordinator connection) {
        MemoryChannel own = network.channel(process);
        direct.put(instance, own);
        return channels.over(own, connection, instance, process);
    }

    @Override
    public void loseSession(Coordinator coordinator) {
        ((StoreCoordinator) coordinator).endSession();
    }

    @Override
    public void close() {
        store.close();
    }
}
