package io.lambdafs.benchmarks.micro.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The main class of the process that loads a file system while a server is lost: each thread reads attributes of files
 * and now and then creates one. Its argument has the settings; it prints the line {@code begin} and, at the end, the
 * operations done in each tenth of a second.
 */
public final class FailoverMain {
    /** Length of a counting slot, ms. */
    public static final int SLOT_MILLIS = 100;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FILES = 64;
    private static final int CREATE_EVERY = 10;
    private static final long LAST_MILLIS = 60_000;

    private final FileSystem fileSystem;
    private final Path root;
    private final long length;
    private final AtomicLongArray done;
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private volatile String failure = "";

    private FailoverMain(FileSystem fileSystem, Path root, long seconds) {
        this.fileSystem = fileSystem;
        this.root = root;
        this.length = seconds * 1_000_000_000;
        this.done = new AtomicLongArray((int) (seconds * 1_000 / SLOT_MILLIS));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        JsonNode settings = JSON.readTree(arguments[0]);
        Configuration configuration = new Configuration();
        // HDFS brings an older Jackson, which has no better method.
        settings.path("conf")
                .fieldNames()
                .forEachRemaining(key ->
                        configuration.set(key, settings.path("conf").path(key).asText()));
        FileSystem fileSystem =
                FileSystem.newInstance(URI.create(settings.path("uri").asText()), configuration);
        FailoverMain main = new FailoverMain(
                fileSystem,
                new Path(settings.path("root").asText()),
                settings.path("seconds").asLong());
        answers.println(main.run(settings.path("threads").asInt(), answers));
        answers.flush();
        // Calls still waiting for the lost server no longer matter.
        Runtime.getRuntime().halt(0);
    }

    private ObjectNode run(int threads, PrintStream answers) throws IOException, InterruptedException {
        for (int i = 0; i < FILES; i++) {
            fileSystem.mkdirs(new Path(root, "d" + i));
            fileSystem.create(new Path(root, "d" + i + "/f"), true).close();
        }
        // An uncounted pass over everything compiles the code and fills the caches.
        for (int i = 0; i < 20 * FILES; i++) {
            fileSystem.getFileStatus(new Path(root, "d" + i % FILES + "/f"));
        }
        answers.println("begin");
        answers.flush();
        long begun = System.nanoTime();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(() -> work(number, begun), "client-" + i);
            thread.setDaemon(true);
            thread.start();
            all.add(thread);
        }
        for (Thread each : all) {
            each.join(LAST_MILLIS);
        }
        ObjectNode result = JSON.createObjectNode()
                .put("failed", failed.get())
                .put("failure", failure)
                .put("longestMillis", longest.get() / 1_000_000)
                .put("stuck", all.stream().filter(Thread::isAlive).count());
        ArrayNode slots = result.putArray("done");
        for (int i = 0; i < done.length(); i++) {
            slots.add(done.get(i));
        }
        return result;
    }

    private void work(int number, long begun) {
        for (int i = 0; System.nanoTime() - begun < length; i++) {
            long start = System.nanoTime();
            try {
                Path directory = new Path(root, "d" + (number + i) % FILES);
                if (i % CREATE_EVERY == 0) {
                    fileSystem
                            .create(new Path(directory, "c" + number + "-" + i), true)
                            .close();
                } else {
                    fileSystem.getFileStatus(new Path(directory, "f"));
                }
                long end = System.nanoTime();
                longest.accumulateAndGet(end - start, Math::max);
                int slot = (int) ((end - begun) / 1_000_000 / SLOT_MILLIS);
                if (slot < done.length()) {
                    done.incrementAndGet(slot);
                }
            } catch (IOException | RuntimeException e) {
                failed.incrementAndGet();
                failure = e.toString();
            }
        }
    }
}
