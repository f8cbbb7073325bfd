package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.session.EpochSessionContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;

class StoreDirectSessionTest extends EpochSessionContract {
    @Override
    protected Environment createEnvironment() {
        return new StoreEnvironment(1, Channels.DIRECT);
    }
}
