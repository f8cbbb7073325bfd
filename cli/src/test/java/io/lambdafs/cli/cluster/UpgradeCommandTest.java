package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.ServedStore;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.format.FormatLevel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs upgrade} on a store that this process serves. */
class UpgradeCommandTest {
    private static final int NEWEST = FormatLevel.NEWEST.number();

    @TempDir
    private Path folder;

    private ServedStore served;

    @BeforeEach
    void serve() throws Exception {
        ClusterDirectory directory = new ClusterDirectory(folder);
        directory.prepare();
        served = new ServedStore(directory.secret());
        ProcessHandle self = ProcessHandle.current();
        Files.writeString(
                directory.pid("store"),
                self.pid() + " " + self.info().startInstant().orElseThrow() + "\n");
        Files.writeString(directory.port("store"), Integer.toString(served.port()));
    }

    @AfterEach
    void close() {
        served.close();
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
        served.put(FormatLevel.FIRST.row());

        CommandRun proposal = upgrade();
        assertThat(proposal.out())
                .contains(
                        "has format level 1; this build brings level " + NEWEST,
                        "level 2 brings: files in blocks",
                        "no way back: lambdafs upgrade --finalize --dir " + folder);
        assertThat(proposal.exit()).isZero();
        assertThat(served.store().rows()).contains(FormatLevel.FIRST.row());

        CommandRun raised = upgrade("--finalize");
        assertThat(raised.out().strip()).isEqualTo("Raised the store from format level 1 to " + NEWEST + ".");
        assertThat(raised.exit()).isZero();
        assertThat(served.store().rows()).contains(FormatLevel.NEWEST.row());
        assertThat(upgrade("--finalize").out().strip())
                .isEqualTo("The store has format level " + NEWEST + ", the newest of this build.");
        assertThat(upgrade("--json").out().strip())
                .isEqualTo("{\"schema\":1,\"level\":" + NEWEST + ",\"newest\":" + NEWEST
                        + ",\"instances\":0,\"earlier\":[]}");
    }

    @Test
    void shouldNameInstancesOfAnEarlierBuild() {
        served.put(FormatLevel.FIRST.row(), new Row(Rows.instanceKey(7), 3L, "old", 1L), new Row(Rows.epochKey(7), 3L));

        CommandRun proposal = upgrade();
        assertThat(proposal.out())
                .contains("old of deployment 3 (epoch 7) reads up to level 1", "must be replaced first");
        assertThat(proposal.exit()).isEqualTo(1);
        CommandRun refused = upgrade("--finalize");
        assertThat(refused.err()).contains("LFS-112", "1 of 1 instances", "replace them");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(served.store().rows()).contains(FormatLevel.FIRST.row());
    }

    @Test
    void shouldSayWhatToDoWithANewerStoreAndWhereNoneRuns() throws Exception {
        served.put(new Row(FormatLevel.KEY, "99"));
        CommandRun newer = upgrade();
        assertThat(newer.err()).contains("LFS-113", "format level 99", "use the build that raised it");
        assertThat(newer.exit()).isEqualTo(1);

        Files.delete(new ClusterDirectory(folder).pid("store"));
        CommandRun stopped = upgrade();
        assertThat(stopped.err()).contains("does not run", "cluster start --dir " + folder);
        assertThat(stopped.exit()).isEqualTo(3);
    }
}
