package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.engine.StoreLimits;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsckCommandTest {
    @TempDir
    private Path cluster;

    /** A formatted store, and in it a directory whose parent does not exist, or not. */
    private void make(boolean orphan) {
        try (SystemScheduler scheduler = new SystemScheduler("fsck-test", 1, 100);
                RocksStore store = RocksStore.open(
                        scheduler, StoreLimits.defaults(), RocksSettings.of(cluster.resolve("store")))) {
            Formatter.format(store, 4, "root", 1).toCompletableFuture().join();
            if (orphan) {
                INode lost = INode.directory(999, "lost", 1_000, "root", "supergroup", 0755, 1);
                store.begin(0)
                        .commit(List.of(new Mutation.Put(Rows.of(lost))), Long.MAX_VALUE)
                        .toCompletableFuture()
                        .join();
            }
        }
    }

    private CommandRun fsck(String... more) {
        Object[] words = new Object[3 + more.length];
        words[0] = "fsck";
        words[1] = "--dir";
        words[2] = cluster;
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(Main::run, words);
    }

    @Test
    void shouldSayThatATreeIsWhole() {
        make(false);
        CommandRun run = fsck();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().strip()).isEqualTo("INodes in the tree: 1; it is whole");
        assertThat(run.exit()).isZero();
        assertThat(fsck("--json").out().strip())
                .isEqualTo("{\"schema\":1,\"inodes\":1,\"problems\":[],\"unfinished\":[]}");
    }

    @Test
    void shouldNameWhatBreaksATree() {
        make(true);
        CommandRun run = fsck();
        assertThat(run.out())
                .contains("INode 1000 (\"lost\" in 999) cannot be reached: its parent does not exist", "1 problem");
        assertThat(run.exit()).isEqualTo(1);
        CommandRun json = fsck("--json");
        assertThat(json.out()).contains("\"problems\":[\"INode 1000");
        assertThat(json.exit()).isEqualTo(1);
    }

    @Test
    void shouldSayWhereThereIsNoStore() {
        CommandRun run = fsck();
        assertThat(run.err()).contains("there is no store in " + cluster);
        assertThat(run.exit()).isEqualTo(1);
    }
}
