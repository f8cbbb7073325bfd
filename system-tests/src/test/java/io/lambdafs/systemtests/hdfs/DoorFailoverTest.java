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
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
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

/**
 * Two doors behind one name, processes of which one is killed again and again, and HDFS's own client, which notices nothing.
 * Kills each door every 10 s for {@code -Dlambdafs.doors.seconds=60}, or else each twice.
 */
@Tag("slow")
class DoorFailoverTest {
    private static final int KILLS = 4;
    /** Duration of a longer run; 0 for {@value #KILLS} kills. */
    private static final int SECONDS = Integer.getInteger("lambdafs.doors.seconds", 0);
    /** Two doors in turns, so each every 10 s. */
    private static final long BETWEEN_KILLS_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Several blocks; fewer in the longer run, for a door is not killed before each client has ended a round. */
    private static final int LARGE = (SECONDS == 0 ? 12 : 5) << 20;

    private static final int PART = 100_000;
    private static final int MOST_KEPT = 300_000;

    @TempDir
    private Path folder;

    private DoorCluster cluster;
    private final List<Process> doors = new ArrayList<>();
    private int[] ports;
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<AtomicInteger> rounds = new CopyOnWriteArrayList<>();
    private final AtomicInteger kept = new AtomicInteger();
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

    /** Writes a file that stays; once its number is counted, it was acknowledged. */
    private void keep(DistributedFileSystem fs, int number) throws IOException {
        try (FSDataOutputStream out = fs.create(kept(number), false)) {
            byte[] content = keptContent(number);
            out.write(content, 0, content.length / 2);
            if (number % 2 == 0) {
                out.hflush();
            }
            out.write(content, content.length / 2, content.length - content.length / 2);
        }
        kept.incrementAndGet();
    }

    private static org.apache.hadoop.fs.Path kept(int number) {
        return path("/kept/" + number % 8 + "/" + number);
    }

    private static byte[] keptContent(int number) {
        return content(number, new Random(number).nextInt(MOST_KEPT));
    }

    /** Compares every file that was kept, by λFS's own client, which no door has told anything. */
    private void compareKept() throws IOException {
        Configuration own = new Configuration();
        own.set("lambdafs.dir", cluster.directory().toString());
        int found = 0;
        try (FileSystem fs = FileSystem.newInstance(URI.create("lambdafs:///"), own)) {
            for (int number = 0; number < kept.get(); number++) {
                compare(fs, kept(number).toString(), keptContent(number));
            }
            for (FileStatus folder : fs.listStatus(path("/kept"))) {
                found += fs.listStatus(folder.getPath()).length;
            }
        }
        assertThat(found).as("files beside those that were acknowledged").isEqualTo(kept.get());
    }

    private void kill(int door) throws Exception {
        Process lost = doors.get(door);
        String dataPort = Files.readString(folder.resolve("data-" + door));
        lost.destroyForcibly().waitFor();
        doors.set(door, door(door));
        awaitReady(door);
        // The other door has told clients of it.
        assertThat(folder.resolve("data-" + door)).hasContent(dataPort);
    }

    private void report(int kills, long nanos) throws IOException {
        Path target = Files.createDirectories(Path.of("target", "door-kills"));
        Files.writeString(
                target.resolve("report.txt"),
                String.format(
                        Locale.ROOT,
                        "%d kills of two doors in %.0f s: no call failed in %,d rounds of %d clients; %,d files that were acknowledged are there, with their contents%n",
                        kills,
                        nanos / 1e9,
                        rounds.stream().mapToInt(AtomicInteger::get).sum(),
                        rounds.size(),
                        kept.get()));
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
                client(this::keep),
                client((fs, number) -> compare(fs, "/read", read)));
        long begun = System.nanoTime();
        int kills = 0;
        while (failures.isEmpty()
                && (SECONDS == 0 ? kills < KILLS : System.nanoTime() - begun < SECONDS * 1_000_000_000L)) {
            awaitRounds();
            kill(kills % 2);
            kills++;
            long due = SECONDS == 0 ? 0 : kills * BETWEEN_KILLS_NANOS;
            Awaitility.await().until(() -> !failures.isEmpty() || System.nanoTime() - begun >= due);
        }
        long nanos = System.nanoTime() - begun;
        over = true;
        for (Thread each : clients) {
            each.join();
        }
        assertThat(failures.stream().map(Throwables::getStackTrace)).isEmpty();
        compareKept();
        if (SECONDS > 0) {
            report(kills, nanos);
        }
    }
}
