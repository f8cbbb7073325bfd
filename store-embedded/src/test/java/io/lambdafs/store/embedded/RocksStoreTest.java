package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** After each test the store is opened again: what it answered from its memory must be what its disk says. */
class RocksStoreTest extends MetadataStoreContract {
    @TempDir
    private Path folder;

    private final Set<Key> asked = ConcurrentHashMap.newKeySet();
    private Path directory;

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws IOException {
        asked.clear();
        directory = Files.createTempDirectory(folder, "store");
        return RocksStore.open(scheduler, limits, RocksSettings.of(directory));
    }

    @Override
    public @Nullable Row get(Key key) {
        asked.add(key);
        return super.get(key);
    }

    @Override
    protected void close(MetadataStore opened) {
        List<Key> keys = asked.stream().sorted().toList();
        List<@Nullable Row> answered = rows(opened, keys);
        opened.close();
        try (ThreadScheduler scheduler = new ThreadScheduler();
                RocksStore again = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory))) {
            assertThat(rows(again, keys)).isEqualTo(answered);
        }
    }

    private static List<@Nullable Row> rows(MetadataStore store, List<Key> keys) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .readAndEnd(keys.stream().map(Read::unlocked).toList(), 0)
                .toCompletableFuture()
                .join();
    }
}
