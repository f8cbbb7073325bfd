package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
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

class QuotaCommandTest {
    private static final long A = 1_000;

    @TempDir
    private Path cluster;

    @BeforeEach
    void make() {
        INode.Traits traits = new INode.Traits(INode.Kind.FILE, "root", "root", 0644, 3, 1, INode.Content.BLOCKS);
        DirectoryTotals file = new DirectoryTotals(1, 0, 7, 21);
        commit(
                new Mutation.Put(Rows.of(INode.directory(INode.ROOT_ID, "a", A, "root", "root", 0755, 1)
                        .withQuota(true))),
                new Mutation.Put(Rows.of(new INode(A, "f", 1_002, traits, 7, 1, 1, 1))),
                Rows.totalsChanged(A, file),
                Rows.quotaChanged(A, Quota.UNLIMITED, new Quota(5, Quota.NONE)),
                Rows.totalsChanged(INode.ROOT_ID, file.plus(DirectoryTotals.DIRECTORY)));
    }

    private void commit(Mutation... changes) {
        try (SystemScheduler scheduler = new SystemScheduler("quota-test", 1, 100);
                RocksStore store = RocksStore.open(
                        scheduler, StoreLimits.defaults(), RocksSettings.of(cluster.resolve("store")))) {
            Formatter.format(store, 4, "root", 1).toCompletableFuture().join();
            store.begin(0)
                    .commit(List.of(changes), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
    }

    @Test
    void shouldCheckWhatIsCharged() {
        CommandRun run = CommandRun.of(Main::run, "quota", "check", "--dir", cluster);
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "names limit × replication limit path",
                        "2 5 21 none /a",
                        "INodes counted: 3; all directories are charged with what they have");
        assertThat(run.exit()).isZero();
    }

    @Test
    void shouldFindWhatIsChargedWrongly() {
        commit(Rows.totalsChanged(A, new DirectoryTotals(1, 0, 0, -1)));
        CommandRun run = CommandRun.of(Main::run, "quota", "check", "--json", "--dir", cluster);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out().strip())
                .isEqualTo("{\"schema\":1,\"inodes\":3,\"exact\":true,"
                        + "\"quotas\":[{\"path\":\"/a\",\"namesLimit\":5,\"names\":3,\"spaceLimit\":-1,\"space\":20}],"
                        + "\"wrong\":[{\"path\":\"/a\",\"files\":-1,\"directories\":0,\"bytes\":0,\"space\":1}]}");
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThat(CommandRun.of(Main::run, "quota").err()).contains("a command (set, clear, show, check)");
        assertThat(CommandRun.of(Main::run, "quota", "set", "/a").err()).contains("--files or --space is missing");
        assertThat(CommandRun.of(Main::run, "quota", "-setQuota", "1x", "/a").err())
                .contains("'1x' is no number like 1000, 10k or 1.5g");
    }
}
