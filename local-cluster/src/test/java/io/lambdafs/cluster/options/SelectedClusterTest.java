package io.lambdafs.cluster.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.DistantCluster;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The cluster and the places that options of a command select. */
class SelectedClusterTest {
    private static final Console CONSOLE = Console.ofProcess();
    private static final String ELSEWHERE = "127.0.0.1:1";

    @TempDir
    private Path folder;

    private Path secret;

    @BeforeEach
    void makeSecret() {
        secret = folder.resolve("a-secret");
        Secret.loadOrCreate(secret);
    }

    private static <T> T parsed(T options, Object... words) {
        String[] texts = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            texts[i] = words[i].toString();
        }
        new CommandLine(options).parseArgs(texts);
        return options;
    }

    @Test
    void shouldKnowWhetherADirectoryIsGiven() {
        DirectoryOption given = parsed(new DirectoryOption(), "--dir", folder);
        assertThat(given.isGiven()).isTrue();
        assertThat(given.find()).isEqualTo(new ClusterDirectory(folder));
        assertThat(new DirectoryOption().isGiven()).isFalse();
        assertThat(new DirectoryOption().find()).isEqualTo(ClusterDirectory.find(null, System.getenv()));
    }

    @Test
    void shouldWorkOnTheClusterOfADirectoryUnlessAStoreIsAddressed() {
        OperatedOptions here = parsed(new OperatedOptions(), "--dir", folder);
        assertThat(here.isAddressed()).isFalse();
        assertThat(here.find(CONSOLE))
                .isInstanceOfSatisfying(
                        LocalCluster.class,
                        cluster -> assertThat(cluster.directory().root()).isEqualTo(folder));

        OperatedOptions there = parsed(new OperatedOptions(), "--store", ELSEWHERE, "--secret-file", secret);
        assertThat(there.isAddressed()).isTrue();
        assertThat(there.find(CONSOLE)).isInstanceOf(DistantCluster.class).hasToString("the cluster at " + ELSEWHERE);
    }

    @Test
    void shouldAskForTheSecretOfAStoreThatIsAddressed() {
        OperatedOptions there = parsed(new OperatedOptions(), "--store", ELSEWHERE);
        assertThatThrownBy(() -> there.find(CONSOLE))
                .hasMessage("--store needs --secret-file FILE, the cluster's secret");
    }

    @Test
    void shouldWorkOnTheClusterOfAClientsDirectory() throws Exception {
        Files.writeString(
                folder.resolve("client.json"),
                "{\"schema\":1,\"gateway\":\"http://127.0.0.1:1\",\"deployments\":1,\"insecure\":true}");
        OperatedCluster found = parsed(
                        new OperatedOptions(), "--dir", folder, "--store", ELSEWHERE, "--secret-file", secret)
                .find(CONSOLE);
        assertThat(found).hasToString("the cluster of " + folder);
        OperatedOptions unsaid = parsed(new OperatedOptions(), "--dir", folder);
        assertThatThrownBy(() -> unsaid.find(CONSOLE))
                .hasMessageContainingAll(folder.toString(), "does not say where the cluster's store is");
    }

    @Test
    void shouldUseTheFilesForAStoreWithTls() {
        String files = folder.resolve("ca.pem") + "," + folder.resolve("own.pem") + "," + folder.resolve("own.key");
        OperatedOptions three =
                parsed(new OperatedOptions(), "--store", ELSEWHERE, "--secret-file", secret, "--tls", files);
        assertThatThrownBy(() -> three.find(CONSOLE))
                .isInstanceOf(FsException.class)
                .hasMessageContaining(".pem");
        OperatedOptions one =
                parsed(new OperatedOptions(), "--store", ELSEWHERE, "--secret-file", secret, "--tls", "ca.pem");
        assertThatThrownBy(() -> one.find(CONSOLE)).hasMessage("--tls takes three files: CA,CERTIFICATE,KEY");
    }

    @Test
    void shouldOpenBlockStoresOfTheSelectedCluster() {
        assertThat(parsed(new PlaceOptions(), "--store", ELSEWHERE, "--secret-file", secret, "--blocks", "/b")
                        .find(CONSOLE))
                .hasToString("the cluster at " + ELSEWHERE);
        assertThat(parsed(new PlaceOptions(), "--dir", folder).find(CONSOLE)).isInstanceOf(LocalCluster.class);
    }

    @Test
    void shouldUseNoClusterThatDoesNotAnswer() {
        ClusterOptions options = parsed(new ClusterOptions(), "--dir", folder.resolve("none"));
        AtomicBoolean used = new AtomicBoolean();
        assertThatThrownBy(() -> options.use(CONSOLE, cluster -> {
                    used.set(true);
                    return true;
                }))
                .hasMessageContaining("no cluster runs in " + folder.resolve("none"));
        assertThat(used).isFalse();
    }

    @Test
    void shouldLeaveNothingOfABucketsFolder() throws Exception {
        Path scratch = Files.createDirectory(folder.resolve("scratch"));
        BucketOptions options = parsed(new BucketOptions(), "--scratch", scratch);
        AtomicReference<Path> lent = new AtomicReference<>();
        String result = options.with(folder.resolve("bucket").toString(), (bucket, room) -> {
            lent.set(room);
            assertThat(room).isDirectory().hasParent(scratch);
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThat(lent.get()).doesNotExist();
        assertThat(scratch).isEmptyDirectory();
    }
}
