package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.session.EpochSessionContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class StoreServerRelayedSessionTest extends EpochSessionContract {
    @TempDir
    private Path folder;

    @Override
    protected Environment createEnvironment() {
        return new StoreServerEnvironment(folder.resolve("store"), Channels.RELAYED);
    }
}
