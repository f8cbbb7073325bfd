package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.CoordinatorContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class StoreServerCoordinatorTest extends CoordinatorContract {
    @TempDir
    private Path folder;

    @Override
    protected Environment createEnvironment() {
        return new StoreServerEnvironment(folder.resolve("store"), Channels.DIRECT);
    }
}
