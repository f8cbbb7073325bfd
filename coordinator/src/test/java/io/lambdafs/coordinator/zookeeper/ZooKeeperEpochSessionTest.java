package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.FallbackContract;
import io.lambdafs.coordinator.testkit.Environment;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ZooKeeperEpochSessionTest extends FallbackContract {
    @TempDir
    private Path folder;

    @Override
    protected Environment createEnvironment() {
        return new ZooKeeperEnvironment(folder.resolve("zookeeper"));
    }
}
