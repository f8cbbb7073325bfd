package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cli.Main;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code lambdafs deploy} on the gateway of a cluster of real processes: the number of functions goes up and down while a client calls them. */
class DeployClusterTest {
    private static final int CALLS = 40;

    @TempDir
    Path folder;

    private final AtomicInteger done = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private Path deployed;

    @BeforeEach
    void name() {
        deployed = folder.resolve("deployed");
    }

    private String deploy(ClusterUnderTest cluster, Object... more) throws Exception {
        Path root = cluster.directory();
        List<String> words = new ArrayList<>(List.of(
                "deploy",
                "--dir",
                deployed.toString(),
                "--platform",
                "openwhisk",
                "--cluster",
                "music",
                "--auth-file"));
        words.add(root.resolve("managementkey").toString());
        words.addAll(List.of("--apihost", cluster.clientConfig().gateway().toString(), "--function"));
        words.add(root.resolve("conf").resolve("function.json").toString());
        words.addAll(List.of("--option", "kind=java:namenode", "--option", "proof=true", "--concurrency", "4"));
        for (Object each : more) {
            words.add(each.toString());
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        int exit = Main.run(new Console(out, out, 0), words.toArray(String[]::new));
        assertThat(exit).as(said.toString(StandardCharsets.UTF_8)).isZero();
        return said.toString(StandardCharsets.UTF_8);
    }

    private ClientConfig clientConfig() {
        return ClientConfig.load(deployed.resolve("client.json"));
    }

    /** One after the other: each directory is there once it was made, whoever is asked. */
    private void call(BlockingLambdaFs client, AtomicBoolean ends) {
        for (int i = 0; !ends.get(); i++) {
            FsPath path = FsPath.of("/load/" + i % 11 + "/d" + i);
            try {
                client.mkdirs(path, 0755);
                if (!client.stat(path).isDirectory()) {
                    failures.add(path + " is no directory");
                }
                done.incrementAndGet();
            } catch (FsException e) {
                failures.add(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void awaitMore() {
        int from = done.get();
        Awaitility.await("calls go on: " + failures).until(() -> done.get() >= from + CALLS);
    }

    /** Functions that have an instance. */
    private static Set<String> serving(ClusterUnderTest cluster) {
        Set<String> names = new TreeSet<>();
        cluster.asCommandsSeeIt()
                .gateway()
                .client()
                .instances()
                .forEach(each -> names.add(each.path("deployment").asText()));
        names.removeIf(name -> !name.startsWith("music-nn"));
        return names;
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldChangeTheNumberOfFunctionsWhileTheyServe() throws Exception {
        ObjectNode settings = JsonNodeFactory.instance
                .objectNode()
                .put("deployments", 2)
                .put("coordinator", "store")
                .put("inv", "relayed");
        settings.putObject("blocks").put("datanodes", 0);
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"), settings)) {
            assertThat(deploy(cluster, "--deployments", 2)).contains("changed 2 of 2 parts");
            assertThat(deploy(cluster, "--deployments", 2)).contains("changed 0 of 2 parts");
            AtomicBoolean ends = new AtomicBoolean();
            try (BlockingLambdaFs client = BlockingLambdaFs.open(clientConfig())) {
                Thread load = new Thread(() -> call(client, ends), "load");
                load.start();
                awaitMore();

                assertThat(deploy(cluster, "--deployments", 4)).contains("music-nn3");
                assertThat(clientConfig().deployments()).isEqualTo(4);
                assertThat(clientConfig().generation()).isEqualTo(1);
                awaitMore();

                assertThat(deploy(cluster, "--deployments", 1)).containsPattern("removed +action music-nn3");
                awaitMore();
                ends.set(true);
                load.join(TimeUnit.SECONDS.toMillis(60));
            }
            assertThat(failures).isEmpty();
            Awaitility.await("functions that are too many go")
                    .until(() -> serving(cluster).equals(Set.of("music-nn0")));
            assertThat(deploy(cluster, "--deployments", 1)).contains("changed 0 of 1 parts");
            assertThat(clientConfig().generation()).isEqualTo(2);
            try (BlockingLambdaFs late = BlockingLambdaFs.open(clientConfig())) {
                assertThat(late.stat(FsPath.of("/load/0/d0")).isDirectory()).isTrue();
            }
            deploy(cluster, "--remove");
            assertThat(deployed).isEmptyDirectory();
        }
    }
}
