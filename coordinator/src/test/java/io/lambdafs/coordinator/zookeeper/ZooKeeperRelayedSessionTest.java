package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.session.EpochSessionContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ZooKeeperRelayedSessionTest extends EpochSessionContract {
    @TempDir
    private Path folder;

    @Override
    protected Environment createEnvironment() {
        return new ZooKeeperEnvironment(folder.resolve("zookeeper"), Channels.RELAYED);
    }
}
