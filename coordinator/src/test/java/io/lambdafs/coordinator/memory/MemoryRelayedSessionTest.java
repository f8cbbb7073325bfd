package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.session.EpochSessionContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;

class MemoryRelayedSessionTest extends EpochSessionContract {
    @Override
    protected Environment createEnvironment() {
        return new SimulatedEnvironment(1, Channels.RELAYED);
    }
}
