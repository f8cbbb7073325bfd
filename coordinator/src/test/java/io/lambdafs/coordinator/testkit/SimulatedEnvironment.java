package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.model.Times;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Everything in memory, in time that only {@link #await} and {@link #pass} move: the same seed gives the same run. */
public final class SimulatedEnvironment implements FaultyEnvironment {
    private final ManualScheduler clock;
    private final MemoryStore store;
    private final MemoryEnsemble ensemble;
    private final MemoryNetwork network;
    private final Channels channels;
    private final Map<String, MemoryChannel> direct = new HashMap<>();

    public SimulatedEnvironment(long seed) {
        this(seed, Channels.DIRECT);
    }

    public SimulatedEnvironment(long seed, Channels channels) {
        this.channels = channels;
        clock = new ManualScheduler(seed);
        store = new MemoryStore(clock);
        ensemble = new MemoryEnsemble(clock, Times.DEFAULT.session());
        network = new MemoryNetwork(clock);
        ensemble.setLatency(Duration.ofMillis(2));
        network.setLatency(Duration.ofMillis(1));
    }

    public MemoryEnsemble ensemble() {
        return ensemble;
    }

    public MemoryNetwork network() {
        return network;
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
        return ensemble.connect(process);
    }

    @Override
    public InvalidationChannel channel(ProcessScheduler process, String instance, Coordinator connection) {
        MemoryChannel own = network.channel(process);
        direct.put(instance, own);
        return channels.over(own, connection, instance, process);
    }

    @Override
    public void setLatency(Duration oneWay) {
        ensemble.setLatency(oneWay);
    }

    @Override
    public void partition(Coordinator coordinator) {
        ((MemoryCoordinator) coordinator).partition();
    }

    @Override
    public void heal(Coordinator coordinator) {
        ((MemoryCoordinator) coordinator).heal();
    }

    @Override
    public MemoryChannel direct(String instance) {
        return Objects.requireNonNull(direct.get(instance));
    }

    @Override
    public void loseSession(Coordinator coordinator) {
        ((MemoryCoordinator) coordinator).loseSession();
    }

    @Override
    public void close() {
        store.close();
    }
}
