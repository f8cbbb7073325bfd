package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs load} into clusters of both engines, whose store servers are processes. */
@Tag("slow")
class LoadCommandTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void dump() {
        DumpOfATree.make(folder.resolve("dump"), 2);
    }

    private CommandRun run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, "--dir", folder.resolve("new")));
        words.addAll(List.of(more));
        return CommandRun.of(Main::run, words.toArray());
    }

    @Test
    void shouldMakeAClusterOfADump() throws Exception {
        CommandRun loaded = run("load", folder.resolve("dump"));

        assertThat(loaded.err()).contains("cluster start --dir " + folder.resolve("new"));
        assertThat(loaded.out()).contains("loaded and verified 8 INodes");
        assertThat(loaded.exit()).isZero();
        ClusterDirectory directory = new ClusterDirectory(folder.resolve("new"));
        assertThat(directory.pid("store")).as("left running").doesNotExist();
        assertThat(Files.readString(directory.settings())).contains("\"deployments\" : 2");
        assertThat(run("fsck").out().strip()).isEqualTo("INodes in the tree: 8; it is whole");

        CommandRun again = run("load", folder.resolve("dump"));
        assertThat(again.err()).contains("LFS-112", "empty store only", "name another directory");
        assertThat(again.exit()).isEqualTo(1);
    }

    @Test
    void shouldMakeAClusterOfAnotherEngine() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed");
        CommandRun loaded = run("load", folder.resolve("dump"), "--store", "postgres", "--json");
        assertThat(loaded.out()).contains("\"inodes\":8");
        assertThat(loaded.exit()).isZero();
        assertThat(new ClusterDirectory(folder.resolve("new")).pid("postgres")).doesNotExist();
    }

    @Test
    void shouldSayWhereThereIsNoDump() {
        CommandRun run = run("load", folder);
        assertThat(run.err()).contains("LFS-101", "there is no dump in " + folder);
        assertThat(folder.resolve("new")).doesNotExist();
    }
}
