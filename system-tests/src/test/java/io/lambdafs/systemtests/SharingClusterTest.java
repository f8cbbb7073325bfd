package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.FsPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of one user that share connections to a cluster of real processes, while those that lend them are killed. */
class SharingClusterTest {
    private static final int FILES = 300;

    @TempDir
    Path folder;

    private final List<Client> clients = new ArrayList<>();

    /** Counters that a client reports at its end. */
    private record Counts(long http, long tcp, long connections, long borrowed) {}

    /** A process, and the two ends of its standard streams. */
    private record Client(Process process, PrintWriter input, BufferedReader output) {
        /** Makes further clients wait for a lent connection, however long the greeting takes. */
        void borrow() {
            input.println("borrow");
        }

        void make(String path, int files) {
            input.println(path + " " + files);
        }

        void awaitMade(int number) throws IOException {
            for (String line = output.readLine(); !("made " + number).equals(line); line = output.readLine()) {
                assertThat(line).isNotNull();
            }
        }

        Counts done() throws IOException {
            String line = output.readLine();
            while (line != null && !line.startsWith("done ")) {
                line = output.readLine();
            }
            assertThat(line).isNotNull();
            String[] parts = line.split(" ", -1);
            return new Counts(
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]),
                    Long.parseLong(parts[4]));
        }
    }

    @AfterEach
    void endClients() {
        clients.forEach(client -> client.process().destroyForcibly());
    }

    private Client client(ClusterUnderTest cluster) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SharingProgram.class.getName(),
                cluster.directory().toString(),
                folder.resolve("s").toString());
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("clients.log").toFile())
                .start();
        Client client = new Client(
                process,
                new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true),
                process.inputReader(StandardCharsets.UTF_8));
        clients.add(client);
        return client;
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldLoseNothingWhenTheProcessThatLendsIsKilledAndLendInTurn() throws Exception {
        // Calls by HTTP end early: instances stay, however long a process takes to start.
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.putObject("pool").put("keepAliveMillis", 600_000);
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("c"), settings)) {
            Client first = client(cluster);
            first.make("/first", 64);
            assertThat(first.done().borrowed()).isZero();
            Client second = client(cluster);
            second.borrow();
            second.make("/second", 32);
            Counts lent = second.done();
            assertThat(lent.borrowed()).isPositive().isEqualTo(lent.connections());
            assertThat(lent.tcp()).isGreaterThanOrEqualTo(32);

            // No file is made twice: that would be refused. None is missing.
            second.make("/busy", FILES);
            second.awaitMade(FILES / 3);
            first.process().destroyForcibly().waitFor();
            Counts alone = second.done();
            assertThat(alone.borrowed()).isZero();
            assertThat(alone.connections()).isPositive();
            assertAll(cluster, "/busy");

            Client third = client(cluster);
            third.borrow();
            third.make("/third", 32);
            assertThat(third.done().borrowed()).isPositive();
        }
    }

    private static void assertAll(ClusterUnderTest cluster, String root) throws InterruptedException {
        try (BlockingLambdaFs client = cluster.client()) {
            int found = 0;
            for (int i = 0; i < FILES; i++) {
                found += client.stat(FsPath.of(root + "/d" + i % 16 + "/f" + i)).size() == 0 ? 1 : 0;
            }
            assertThat(found).isEqualTo(FILES);
        }
    }
}
