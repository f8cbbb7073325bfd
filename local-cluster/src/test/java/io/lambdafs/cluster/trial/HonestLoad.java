package io.lambdafs.cluster.trial;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.FileReader;
import io.lambdafs.client.FileWriter;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Files that are written, read back, compared and deleted, by some threads until stopped. Thread-safe. */
final class HonestLoad {
    static final FsPath DIRECTORY = FsPath.of("/honest");
    private static final int THREADS = 4;
    /** More than a small file. Most have one block: removed ones stay on the disk for twenty minutes. */
    private static final int LEAST_BYTES = 70_000;

    private static final int MORE_BYTES = 256 << 10;
    private static final int LARGE_BYTES = 3 << 20;
    private static final int LARGE_ONE_IN = 8;
    private static final CreateOptions OPTIONS = CreateOptions.DEFAULT.withBlockSize(1 << 20);
    private static final long PAUSE_MILLIS = 20;
    private static final long LAST_SECONDS = 120;

    private final Files files;
    private final Map<String, Queue<Long>> micros = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lastFile = new AtomicInteger();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    /** The operations of the load on files. */
    interface Files {
        void write(FsPath path, byte[] content) throws InterruptedException;

        byte[] read(FsPath path) throws InterruptedException;

        void delete(FsPath path) throws InterruptedException;

        static Files of(BlockingLambdaFs fs) {
            return new Files() {
                @Override
                public void write(FsPath path, byte[] content) throws InterruptedException {
                    FileWriter writer = BlockingLambdaFs.await(fs.async().writer(path, OPTIONS));
                    writer.write(ByteBuffer.wrap(content));
                    writer.complete();
                }

                @Override
                public byte[] read(FsPath path) throws InterruptedException {
                    try (FileReader reader = BlockingLambdaFs.await(fs.async().reader(path))) {
                        return Verdicts.read(reader);
                    }
                }

                @Override
                public void delete(FsPath path) throws InterruptedException {
                    fs.delete(path, false);
                }
            };
        }
    }

    HonestLoad(Files files) {
        this.files = files;
    }

    void start() {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::load, "honest-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void load() {
        try {
            while (!over) {
                int number = lastFile.incrementAndGet();
                Random random = new Random(number);
                boolean large = random.nextInt(LARGE_ONE_IN) == 0;
                byte[] content = new byte[LEAST_BYTES + random.nextInt(large ? LARGE_BYTES : MORE_BYTES)];
                random.nextBytes(content);
                file(DIRECTORY.child(Integer.toString(number)), content);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes a file; if that was acknowledged, reads and deletes it: nothing is known of any other. */
    void file(FsPath path, byte[] content) throws InterruptedException {
        if (!timed("write", path, () -> files.write(path, content))) {
            return;
        }
        timed("read", path, () -> {
            if (!Arrays.equals(files.read(path), content)) {
                failures.add("read " + path + ": other bytes than were written");
            }
        });
        timed("delete", path, () -> files.delete(path));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    /** Returns whether it was acknowledged. */
    private boolean timed(String what, FsPath path, Work work) throws InterruptedException {
        long begun = System.nanoTime();
        boolean acknowledged = true;
        try {
            work.run();
        } catch (FsException e) {
            acknowledged = false;
            failures.add(what + " " + path + ": " + e.code() + " " + e.getMessage());
        }
        micros.computeIfAbsent(what, any -> new ConcurrentLinkedQueue<>())
                .add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun));
        return acknowledged;
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    int done() {
        return micros.values().stream().mapToInt(Queue::size).sum() - failures.size();
    }

    /** Forgets what was measured so far, but for failures. */
    void reset() {
        micros.clear();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(done() + " done, " + failures.size() + " failed; ms p50 and p99:");
        new TreeMap<>(micros).forEach((what, times) -> {
            long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
            text.append(String.format(
                    " %s %.0f %.0f", what, sorted[sorted.length / 2] / 1e3, sorted[sorted.length * 99 / 100] / 1e3));
        });
        return text.toString();
    }

    /** Ends what is under way. */
    void stop() throws InterruptedException {
        over = true;
        for (Thread each : threads) {
            each.join(TimeUnit.SECONDS.toMillis(LAST_SECONDS));
        }
    }
}
