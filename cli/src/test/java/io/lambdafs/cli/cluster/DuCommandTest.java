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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuCommandTest {
    @TempDir
    private Path cluster;

    @BeforeEach
    void make() {
        try (SystemScheduler scheduler = new SystemScheduler("du-test", 1, 100);
                RocksStore store = RocksStore.open(
                        scheduler, StoreLimits.defaults(), RocksSettings.of(cluster.resolve("store")))) {
            Formatter.format(store, 4, "root", 1).toCompletableFuture().join();
            INode.Traits traits = new INode.Traits(INode.Kind.FILE, "root", "root", 0644, 3, 1, INode.Content.BLOCKS);
            store.begin(0)
                    .commit(
                            List.of(
                                    put(INode.directory(INode.ROOT_ID, "a", 1_000, "root", "root", 0755, 1)),
                                    put(INode.directory(1_000, "b", 1_001, "root", "root", 0755, 1)),
                                    put(new INode(1_001, "f", 1_002, traits, 7, 1, 1, 1))),
                            Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
    }

    private static Mutation put(INode node) {
        return new Mutation.Put(Rows.of(node));
    }

    private CommandRun du(String... more) {
        Object[] words = new Object[3 + more.length];
        words[0] = "du";
        words[1] = "--dir";
        words[2] = cluster;
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(Main::run, words);
    }

    @Test
    void shouldSumUpTheRootAndTheDirectoriesBelowIt() {
        CommandRun run = du();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().map(String::strip).map(line -> line.replaceAll(" +", " ")))
                .containsExactly("bytes × replication files directories path", "7 21 1 3 /", "7 21 1 2 /a");
        assertThat(run.exit()).isZero();
    }

    @Test
    void shouldSumUpOneDirectoryAsJson() {
        assertThat(du("/a", "--depth", "0", "--json").out().strip())
                .isEqualTo("{\"schema\":1,\"directories\":"
                        + "[{\"path\":\"/a\",\"files\":1,\"directories\":2,\"bytes\":7,\"space\":21}]}");
    }

    @Test
    void shouldRefuseWhatItCannotSumUp() {
        CommandRun absent = du("/a/b/f");
        assertThat(absent.exit()).isEqualTo(1);
        assertThat(absent.err()).contains("there is no directory \"/a/b/f\"");
        CommandRun negative = du("--depth", "-1");
        assertThat(negative.exit()).isEqualTo(2);
        assertThat(negative.err()).contains("--depth is at least 0");
    }
}
