package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.FallbackContract;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class StoreServerFallbackSessionTest extends FallbackContract {
    @TempDir
    private Path folder;

    @Override
    protected Environment createEnvironment() {
        return new StoreServerEnvironment(folder.resolve("store"), Channels.FALLBACK);
    }
}
