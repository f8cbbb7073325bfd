package io.lambdafs.store.embedded;

import io.lambdafs.model.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksStoreTest extends MetadataStoreContract {
    @TempDir
    private Path folder;

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws IOException {
        Path directory = Files.createTempDirectory(folder, "store");
        return RocksStore.open(scheduler, limits, RocksSettings.of(directory));
    }
}
