package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.FormatLevel;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs upgrade} on a store that this process serves. */
class UpgradeCommandTest {
    private static final int NEWEST = FormatLevel.NEWEST.number();

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("upgrade-test", 1, 100);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final NettyTransport transport =
            new NettyTransport(StoreMessages.codec(), 1, "upgrade-test", TransportLimits.DEFAULT);
    private StoreServer server;

    @BeforeEach
    void serve() throws Exception {
        ClusterDirectory directory = new ClusterDirectory(folder);
        directory.prepare();
        Tokens tokens = Tokens.signed(Secret.loadOrCreate(directory.secret()));
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = StoreServer.start(store, transport, tokens, anyPort)
                .toCompletableFuture()
                .join();
        ProcessHandle self = ProcessHandle.current();
        Files.writeString(
                directory.pid("store"),
                self.pid() + " " + self.info().startInstant().orElseThrow() + "\n");
        Files.writeString(
                directory.port("store"), Integer.toString(server.address().getPort()));
    }

    @AfterEach
    void close() {
        server.close();
        transport.close();
        store.close();
        scheduler.close();
    }

    private void put(Row... rows) {
        List<Mutation> changes =
                List.of(rows).stream().<Mutation>map(Mutation.Put::new).toList();
        store.begin(0).commit(changes, Long.MAX_VALUE).toCompletableFuture().join();
    }

    private CommandRun upgrade(String... more) {
        Object[] words = new Object[3 + more.length];
        words[0] = "upgrade";
        words[1] = "--dir";
        words[2] = folder;
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(Main::run, words);
    }

    @Test
    void shouldProposeWhatItThenDoes() {
        put(FormatLevel.FIRST.row());

        CommandRun proposal = upgrade();
        assertThat(proposal.out())
                .contains(
                        "has format level 1; this build brings level " + NEWEST,
                        "level 2 brings: files in blocks",
                        "no way back: lambdafs upgrade --finalize --dir " + folder);
        assertThat(proposal.exit()).isZero();
        assertThat(store.rows()).contains(FormatLevel.FIRST.row());

        CommandRun raised = upgrade("--finalize");
        assertThat(raised.out().strip()).isEqualTo("Raised the store from format level 1 to " + NEWEST + ".");
        assertThat(raised.exit()).isZero();
        assertThat(store.rows()).contains(FormatLevel.NEWEST.row());
        assertThat(upgrade("--finalize").out().strip())
                .isEqualTo("The store has format level " + NEWEST + ", the newest of this build.");
        assertThat(upgrade("--json").out().strip())
                .isEqualTo("{\"schema\":1,\"level\":" + NEWEST + ",\"newest\":" + NEWEST
                        + ",\"instances\":0,\"earlier\":[]}");
    }

    @Test
    void shouldNameInstancesOfAnEarlierBuild() {
        put(FormatLevel.FIRST.row(), new Row(Rows.instanceKey(7), 3L, "old", 1L), new Row(Rows.epochKey(7), 3L));

        CommandRun proposal = upgrade();
        assertThat(proposal.out())
                .contains("old of deployment 3 (epoch 7) reads up to level 1", "must be replaced first");
        assertThat(proposal.exit()).isEqualTo(1);
        CommandRun refused = upgrade("--finalize");
        assertThat(refused.err()).contains("LFS-112", "1 of 1 instances", "replace them");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(store.rows()).contains(FormatLevel.FIRST.row());
    }

    @Test
    void shouldSayWhatToDoWithANewerStoreAndWhereNoneRuns() throws Exception {
        put(new Row(FormatLevel.KEY, "99"));
        CommandRun newer = upgrade();
        assertThat(newer.err()).contains("LFS-113", "format level 99", "use the build that raised it");
        assertThat(newer.exit()).isEqualTo(1);

        Files.delete(new ClusterDirectory(folder).pid("store"));
        CommandRun stopped = upgrade();
        assertThat(stopped.err()).contains("does not run", "cluster start --dir " + folder);
        assertThat(stopped.exit()).isEqualTo(3);
    }
}
