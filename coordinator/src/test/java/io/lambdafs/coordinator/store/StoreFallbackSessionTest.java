package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.FallbackContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;

class StoreFallbackSessionTest extends FallbackContract {
    @Override
    protected Environment createEnvironment() {
        return new StoreEnvironment(1, Channels.FALLBACK);
    }
}
