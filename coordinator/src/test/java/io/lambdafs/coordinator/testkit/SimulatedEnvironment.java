package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.model.time.Times;
import java.time.Duration;

/** Everything in memory, in time that only {@link #await} and {@link #pass} move: the same seed gives the same run. */
public final class SimulatedEnvironment extends ManualEnvironment {
    private final MemoryEnsemble ensemble;

    public SimulatedEnvironment(long seed) {
        this(seed, Channels.DIRECT);
    }

    public SimulatedEnvironment(long seed, Channels channels) {
        super(seed, channels);
        ensemble = new MemoryEnsemble(clock(), Times.DEFAULT.session());
        ensemble.setLatency(Duration.ofMillis(2));
    }

    public MemoryEnsemble ensemble() {
        return ensemble;
    }

    @Override
    public Coordinator connect(ProcessScheduler process) {
        return ensemble.connect(process);
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
    public void loseSession(Coordinator coordinator) {
        ((MemoryCoordinator) coordinator).loseSession();
    }
}
