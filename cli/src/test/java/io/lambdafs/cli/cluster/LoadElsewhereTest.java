package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.ServedStore;
import io.lambdafs.cluster.dump.Load;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.format.FormatLevel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs load} into the store of a cluster that runs elsewhere, by the store's protocol. */
class LoadElsewhereTest {
    @TempDir
    private Path folder;

    private ServedStore served;
    private Path dump;
    private Path secret;

    @BeforeEach
    void serve() {
        secret = folder.resolve("cluster-secret");
        served = new ServedStore(secret);
        dump = dumped("dump");
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Path dumped(String name) {
        DumpOfATree.make(folder.resolve(name), 3);
        return folder.resolve(name);
    }

    private CommandRun run(Object... words) {
        return CommandRun.of(Main::run, words);
    }

    private CommandRun load(Path from) {
        return run("load", from, "--store", served.address(), "--secret-file", secret);
    }

    private @Nullable Row level() {
        return served.store()
                .begin(0)
                .readAndEnd(List.of(Read.unlocked(FormatLevel.KEY)), 0)
                .toCompletableFuture()
                .join()
                .get(0);
    }

    @Test
    void shouldFillAnEmptyStoreByItsAddress() {
        CommandRun loaded = load(dump);

        assertThat(loaded.exit()).as("%s", loaded).isZero();
        assertThat(loaded.out()).contains("loaded and verified 8 INodes", "into the cluster at " + served.address());
        assertThat(loaded.err()).doesNotContain("cluster start");
        assertThat(run("fsck", "--store", served.address(), "--secret-file", secret)
                        .out()
                        .strip())
                .isEqualTo("INodes in the tree: 8; it is whole");
    }

    @Test
    void shouldFillAnEmptyStoreOfAClientsDirectory() throws Exception {
        Path client = Files.createDirectory(folder.resolve("client"));
        Files.writeString(
                client.resolve("client.json"),
                "{\"schema\":1,\"gateway\":\"http://127.0.0.1:1\",\"deployments\":3,\"secretFile\":\"" + secret
                        + "\"}");
        Files.writeString(client.resolve("cluster.json"), "{\"store\":{\"address\":\"" + served.address() + "\"}}");

        assertThat(run("load", dump, "--dir", client, "--store", "embedded").err())
                .contains("LFS-108", "runs elsewhere");
        CommandRun loaded = run("load", dump, "--dir", client, "--json");
        assertThat(loaded.exit()).as("%s", loaded).isZero();
        assertThat(loaded.out()).contains("\"inodes\":8");
        assertThat(client.resolve("run")).doesNotExist();
    }

    @Test
    void shouldChangeNothingOfAStoreThatIsNotEmpty() {
        Formatter.format(served.store(), 3, "root", 1).toCompletableFuture().join();
        Row before = Objects.requireNonNull(level());

        CommandRun refused = load(dump);

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("LFS-112", "empty store only");
        assertThat(level()).isEqualTo(before);
    }

    @Test
    void shouldGoOnWithWhatWasInterrupted() {
        assertThatThrownBy(() -> Load.run(served.store(), dump, 1, Load.Comparing.AFTERWARDS, (what, rows, all) -> {
                    throw new CancellationException("interrupted");
                }))
                .isNotNull();
        assertThat(FormatLevel.isLoading(level())).isTrue();
        assertThatThrownBy(() -> Formatter.format(served.store(), 3, "root", 1)
                        .toCompletableFuture()
                        .join())
                .as("no file system is made of it")
                .hasMessageContaining("is being filled with the dump");
        CommandRun other = load(dumped("another"));
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.err()).contains("empty store only");

        assertThat(load(dump).exit()).isZero();
        assertThat(FormatLevel.isLoading(level())).isFalse();
        assertThat(run("fsck", "--store", served.address(), "--secret-file", secret)
                        .exit())
                .isZero();
    }

    @Test
    void shouldLoadTheNewestOfTheDumpsThatAreKept() throws Exception {
        assertThat(load(dump).exit()).isZero();
        Path backup = folder.resolve("backup");
        Path old = Files.move(dumped("older"), Files.createDirectory(backup).resolve("2020-01-01T00-00-00Z"));
        CommandRun kept = run("dump", "--store", served.address(), "--secret-file", secret, backup, "--keep", "1");
        assertThat(kept.exit()).as("%s", kept).isZero();
        assertThat(kept.err()).contains("removed " + old);
        assertThat(run("dump", "--store", served.address(), "--secret-file", secret, backup, "--keep", "0")
                        .err())
                .contains("LFS-108", "--keep takes a number");

        CommandRun again = run("load", backup, "--newest", "--store", served.address(), "--secret-file", secret);
        assertThat(again.err()).contains("loading " + backup.resolve("20"), "empty store only");
    }

    @Test
    void shouldSayWhereThereIsNoStoreOrNoDump() {
        CommandRun nowhere = run("load", dump, "--store", "127.0.0.1:1", "--secret-file", secret);
        assertThat(nowhere.exit()).isNotZero();
        assertThat(nowhere.err()).contains("LFS-306", "Job of the chart");
        CommandRun nothing = run("load", folder, "--store", served.address(), "--secret-file", secret);
        assertThat(nothing.err()).contains("LFS-101", "there is no dump in " + folder);
        assertThat(level()).isNull();
    }

    @Test
    void shouldDumpIntoABucketAndLoadFromIt() throws Exception {
        assertThat(load(dump).exit()).isZero();
        String bucket = "gs://in-memory/dumps";
        Path scratch = Files.createDirectory(folder.resolve("scratch"));
        Object[] dumping = {
            "dump", bucket, "--store", served.address(), "--secret-file", secret, "--keep", "1", "--scratch", scratch
        };

        CommandRun dumped = run(dumping);

        assertThat(dumped.exit()).as("%s", dumped).isZero();
        assertThat(dumped.out()).contains("dumped 8 INodes").containsPattern("to gs://in-memory/dumps/20..-.*Z");
        assertThat(scratch).isEmptyDirectory();
        assertThat(run("dump", bucket, "--store", served.address(), "--secret-file", secret, "--resume")
                        .err())
                .contains("LFS-108", "--resume is for a directory");

        served.close();
        served = new ServedStore(secret);
        CommandRun again = run(
                "load", bucket, "--newest", "--store", served.address(), "--secret-file", secret, "--scratch", scratch);
        assertThat(again.exit()).as("%s", again).isZero();
        assertThat(again.out()).contains("loaded and verified 8 INodes");
        assertThat(scratch).isEmptyDirectory();
        assertThat(run("load", bucket, "--store", served.address(), "--secret-file", secret)
                        .err())
                .contains("LFS-108", "names no dump");
        assertThat(run("load", bucket + "/2020-01-01T00-00-00Z", "--store", served.address(), "--secret-file", secret)
                        .err())
                .contains("LFS-101", "there is no whole dump 2020-01-01T00-00-00Z");
    }
}
