package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.ManualEnvironment;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.RemoteStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Coordinators over one store in memory, in time that only {@link #await} and {@link #pass} move. */
public final class StoreEnvironment extends ManualEnvironment {
    private final Map<Coordinator, RemoteStore> links = new HashMap<>();
    private Duration latency = Duration.ofMillis(1);

    public StoreEnvironment(long seed, Channels channels) {
        super(seed, channels);
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
    public Coordinator connect(ProcessScheduler process) {
        RemoteStore link = new RemoteStore(store(), clock(), process, () -> latency);
        StoreCoordinator coordinator = new StoreCoordinator(link, process, times());
        links.put(coordinator, link);
        return coordinator;
    }

    @Override
    public void loseSession(Coordinator coordinator) {
        ((StoreCoordinator) coordinator).endSession();
    }
}
