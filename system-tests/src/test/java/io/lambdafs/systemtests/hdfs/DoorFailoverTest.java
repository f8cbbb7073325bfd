package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.door.hdfs.HdfsDoorMain;
import io.lambdafs.systemtests.CommandRun;
import io.lambdafs.systemtests.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.assertj.core.util.Throwables;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two doors behind one name, processes of which one is killed again and again, and HDFS's own client, which notices nothing. */
@Tag("once")
@Tag("slow")
class DoorFailoverTest {
    private static final int KILLS = 4;
    private static final int LARGE = 12 << 20;
    private static final int PART = 100_000;

    @TempDir
    private Path folder;

    private DoorCluster cluster;
    private final List<Process> doors = new ArrayList<>();
    private int[] ports;
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<AtomicInteger> rounds = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    @BeforeEach
    void start() throws IOException {
        cluster = DoorCluster.start(folder);
        ports = FreePorts.take(2);
        for (int i = 0; i < 2; i++) {
            Files.writeString(
                    folder.resolve("door-" + i + ".json"),
                    "{\"cluster\": \"" + cluster.directory() + "\", \"authentication\": \"simple\", \"port\": "
                            + ports[i]
                            + ", \"portFile\": \"" + ready(i) + "\", \"dataPortFile\": \"" + folder.resolve("data-" + i)
                            + "\", \"otherDataPortFiles\": [\"" + folder.resolve("data-" + (1 - i)) + "\"]}");
            doors.add(door(i));
        }
        awaitReady(0);
        awaitReady(1);
    }

    @AfterEach
    void stop() {
        over = true;
        doors.forEach(Process::destroyForcibly);
        cluster.close();
    }

    private Path ready(int door) {
        return folder.resolve("ready-" + door);
    }

    private Process door(int number) throws IOException {
        Files.deleteIfExists(ready(number));
        List<String> command =
                new ArrayList<>(CommandRun.java(System.getProperty("java.class.path"), HdfsDoorMain.class.getName()));
        command.add(folder.resolve("door-" + number + ".json").toString());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("door-" + number + ".log").toFile()))
                .start();
    }

    private void awaitReady(int door) {
        Awaitility.await()
                .until(() -> Files.exists(ready(door)) || !doors.get(door).isAlive());
        assertThat(doors.get(door).isAlive()).as("door %d runs", door).isTrue();
    }

    /** Returns the configuration that {@code lambdafs hadoop --site --door} prints. */
    private Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set("dfs.nameservices", "lambdafs");
        configuration.set("dfs.ha.namenodes.lambdafs", "door,door-2");
        configuration.set("dfs.namenode.rpc-address.lambdafs.door", "127.0.0.1:" + ports[0]);
        configuration.set("dfs.namenode.rpc-address.lambdafs.door-2", "127.0.0.1:" + ports[1]);
        configuration.set(
                "dfs.client.failover.proxy.provider.lambdafs",
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        return configuration;
    }

    /** Work of a client, over and over. */
    private interface Work {
        void round(DistributedFileSystem fs, int number) throws Exception;
    }

    private Thread client(Work work) {
        AtomicInteger done = new AtomicInteger();
        rounds.add(done);
        Thread thread = new Thread(() -> {
            try (FileSystem fs = FileSystem.newInstance(URI.create("hdfs://lambdafs"), configuration())) {
                for (int i = 0; !over && failures.isEmpty(); i++) {
                    work.round((DistributedFileSystem) fs, i);
                    done.incrementAndGet();
                }
            } catch (Exception | AssertionError e) {
                failures.add(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Waits until each client has ended a round that began with both doors: HDFS's client gives up a block that has lost every door. */
    private void awaitRounds() {
        List<Integer> before = rounds.stream().map(AtomicInteger::get).toList();
        Awaitility.await()
                .until(() -> !failures.isEmpty()
                        || IntStream.range(0, before.size())
                                .allMatch(i -> rounds.get(i).get() >= before.get(i) + 2));
    }

    private static org.apache.hadoop.fs.Path path(String path) {
        return new org.apache.hadoop.fs.Path(path);
    }

    private static byte[] content(int seed, int length) {
        byte[] content = new byte[length];
        new Random(seed).nextBytes(content);
        return content;
    }

    private static void compare(FileSystem fs, String path, byte[] content) throws IOException {
        try (FSDataInputStream in = fs.open(path(path))) {
            byte[] found = in.readAllBytes();
            assertThat(found.length).as(path).isEqualTo(content.length);
            assertThat(Arrays.equals(found, content)).as(path).isTrue();
        }
    }

    private static void names(DistributedFileSystem fs, int number) throws IOException {
        String one = "/names/one-" + number;
        String two = "/names/two-" + number;
        byte[] content = content(number, 1_000);
        try (FSDataOutputStream out = fs.create(path(one), false)) {
            out.write(content);
        }
        assertThat(fs.rename(path(one), path(two))).isTrue();
        fs.rename(path(two), path(one), Options.Rename.NONE);
        compare(fs, one, content);
        assertThat(fs.delete(path(one), false)).isTrue();
        assertThat(fs.exists(path(one))).isFalse();
    }

    private static void write(DistributedFileSystem fs, int number) throws Exception {
        String path = "/large-" + number % 3;
        byte[] content = content(number, LARGE);
        try (FSDataOutputStream out = fs.create(path(path), true, 4_096, (short) 3, 4 << 20)) {
            for (int at = 0; at < LARGE; at += PART) {
                out.write(content, at, Math.min(PART, LARGE - at));
                if (number % 2 == 0 && at % (10 * PART) == 0) {
                    out.hflush();
                }
            }
        }
        assertThat(fs.getFileStatus(path(path)).getLen()).isEqualTo(LARGE);
        compare(fs, path, content);
    }

    @Test
    void shouldFailNoCallOfAStockClientWhicheverDoorIsKilled() throws Exception {
        byte[] read = content(-1, LARGE);
        try (FileSystem fs = FileSystem.newInstance(URI.create("hdfs://lambdafs"), configuration());
                FSDataOutputStream out = fs.create(path("/read"))) {
            out.write(read);
        }
        List<Thread> clients = List.of(
                client(DoorFailoverTest::names),
                client(DoorFailoverTest::write),
                client((fs, number) -> compare(fs, "/read", read)));
        for (int kill = 0; kill < KILLS && failures.isEmpty(); kill++) {
            awaitRounds();
            Process lost = doors.get(kill % 2);
            String dataPort = Files.readString(folder.resolve("data-" + kill % 2));
            lost.destroyForcibly().waitFor();
            doors.set(kill % 2, door(kill % 2));
            awaitReady(kill % 2);
            // The other door has told clients of it.
            assertThat(folder.resolve("data-" + kill % 2)).hasContent(dataPort);
        }
        over = true;
        for (Thread each : clients) {
            each.join();
        }
        assertThat(failures.stream().map(Throwables::getStackTrace)).isEmpty();
    }
}
