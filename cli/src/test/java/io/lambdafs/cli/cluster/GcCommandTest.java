package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs gc} where no cluster runs: a store with one block, and a directory with its object and another one. */
class GcCommandTest {
    private static final String NAMED = ObjectKey.of(1, 1, 1);
    private static final String ORPHAN = ObjectKey.of(2, 1, 1);

    @TempDir
    private Path cluster;

    @BeforeEach
    void make() throws IOException {
        ClusterDirectory directory = new ClusterDirectory(cluster);
        directory.prepare();
        StoredBlock block = new StoredBlock(1_000, 0, new Block(1, 1, 5, 0), "local", NAMED, StoredBlock.State.WRITTEN);
        try (SystemScheduler scheduler = new SystemScheduler("gc-test", 1, 100);
                RocksStore store =
                        RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory.data("store")))) {
            Formatter.format(store, 4, "root", 1).toCompletableFuture().join();
            store.begin(0)
                    .commit(
                            List.of(
                                    new Mutation.Put(block.row()),
                                    new Mutation.Put(new Row(Schema.SETTINGS.key("cluster"), "a-cluster"))),
                            Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
        file("lambdafs-cluster", "a-cluster");
        file(NAMED, "named");
        file(ORPHAN, "nothing names it");
    }

    private Path object(String key) {
        return cluster.resolve("blocks").resolve(key);
    }

    private void file(String key, String content) throws IOException {
        Files.createDirectories(object(key).resolveSibling(""));
        Files.writeString(object(key), content);
    }

    private CommandRun gc(Object... more) {
        Object[] words = new Object[3 + more.length];
        words[0] = "gc";
        words[1] = "--dir";
        words[2] = cluster;
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(Main::run, words);
    }

    @Test
    void shouldDeleteWhatNothingNamesAndSayHowMuch() {
        CommandRun dry = gc("--dry-run", "--json");
        assertThat(dry.out().strip())
                .as("%s", dry)
                .isEqualTo("{\"schema\":1,\"dryRun\":true,\"objects\":2,\"bytes\":21,\"orphans\":1,\"orphanBytes\":16,"
                        + "\"uploads\":0,\"failed\":0}");
        assertThat(object(ORPHAN)).exists();
        CommandRun run = gc();
        assertThat(run.out().strip())
                .isEqualTo("2 objects, 21 bytes; deleted, for no file needs them: 1 objects, 16 bytes, and 0 unfinished"
                        + " uploads");
        assertThat(run.exit()).isZero();
        assertThat(object(ORPHAN)).doesNotExist();
        assertThat(object(NAMED)).exists();
    }

    @Test
    void shouldTouchNothingOfAnotherClustersStore() throws IOException {
        file("lambdafs-cluster", "another");
        CommandRun run = gc();
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("belongs to the cluster another");
        assertThat(object(ORPHAN)).exists();
    }
}
