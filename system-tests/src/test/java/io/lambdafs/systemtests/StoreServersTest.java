package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.dump.Copy;
import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Clusters of real processes whose store server is killed, or whose metadata move, while a client writes. */
@EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "once is enough")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class StoreServersTest {
    private static final int MORE = 50;

    @TempDir
    Path directory;

    /** Writes one file after the other; a call that fails ends it. */
    private static final class Writer {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicInteger written = new AtomicInteger();
        private final CompletableFuture<Void> running;

        Writer(BlockingLambdaFs client) throws InterruptedException {
            client.execute(new NamespaceOperation.Mkdirs(FsPath.of("/files"), 0755, true));
            running = CompletableFuture.runAsync(() -> {
                while (!ended.get()) {
                    int number = written.get();
                    write(client, number);
                    written.incrementAndGet();
                }
            });
        }

        private static void write(BlockingLambdaFs client, int number) {
            try {
                client.create(path(number), content(number), CreateOptions.DEFAULT);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        static FsPath path(int number) {
            return FsPath.of("/files/" + number);
        }

        static byte[] content(int number) {
            return ("content " + number).getBytes(StandardCharsets.UTF_8);
        }

        void awaitMore() {
            int before = written.get();
            Awaitility.await().until(() -> running.isDone() || written.get() >= before + MORE);
            assertThat(running).as("no call failed").isNotDone();
        }

        int end() {
            ended.set(true);
            Waits.join(running);
            return written.get();
        }
    }

    private static void assertThere(BlockingLambdaFs client, int files) throws InterruptedException {
        for (int i = 0; i < files; i++) {
            assertThat(client.stat(Writer.path(i)).size()).isEqualTo(Writer.content(i).length);
        }
        assertThat(client.stat(FsPath.of("/files")).isDirectory()).isTrue();
    }

    @BeforeEach
    void needPostgres() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed");
    }

    /** PROTOCOL: D8. */
    @Test
    void shouldFailNoCallWhenTheServerThatServesIsKilled() throws Exception {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.putObject("store").put("engine", "postgres").put("servers", 2);
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, keys);
                BlockingLambdaFs client = cluster.client()) {
            Writer writer = new Writer(client);
            writer.awaitMore();
            StoreProcesses parts = new StoreProcesses(cluster);
            String first = parts.servingStore();

            cluster.service(first).orElseThrow().destroyForcibly();

            writer.awaitMore();
            assertThat(parts.servingStore()).isNotEqualTo(first);
            assertThere(client, writer.end());
        }
    }

    @Test
    void shouldMoveTheMetadataOfAClusterThatIsWrittenAllTheTime() throws Exception {
        ObjectNode keys = JsonNodeFactory.instance.objectNode().put("coordinator", "store");
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, keys);
                BlockingLambdaFs client = cluster.client()) {
            Writer writer = new Writer(client);
            writer.awaitMore();

            Copy.Pass compared = move(cluster.asCommandsSeeIt(), "postgres");

            assertThat(compared.inodes()).isGreaterThan(MORE);
            writer.awaitMore();
            assertThere(client, writer.end());
            assertThat(cluster.service("postgres")).isPresent();
            boolean whole = cluster.asCommandsSeeIt()
                    .withStore(store ->
                            Snapshot.read(store, Fsck::check).problems().isEmpty());
            assertThat(whole).isTrue();
        }
    }

    private Copy.Pass move(LocalCluster cluster, String engine) {
        Path dump = directory.resolve("dump-" + engine);
        Copy.Pass[] compared = new Copy.Pass[1];
        cluster.moveStore(
                JsonNodeFactory.instance.objectNode().put("engine", engine).put("jdbcUrl", ""),
                new LocalCluster.MoveSteps() {
                    @Override
                    public void whileServing(MetadataStore from, MetadataStore to) {
                        new Copy(from, to, (what, rows, all) -> {}).begin(dump, 2);
                    }

                    @Override
                    public void whileStopped(MetadataStore from, MetadataStore to) {
                        compared[0] = new Copy(from, to, (what, rows, all) -> {}).finish();
                    }
                });
        return compared[0];
    }
}
