package io.lambdafs.benchmarks.micro.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The main class of the process that writes and reads content through any Hadoop file system. Arguments: its URI, a
 * directory of its own, the megabytes of the large file, the number of small files of each size, the threads that write
 * and read these, their sizes in KB, {@code 1,4}, the seconds that writing those of one size may take, 0 for any, and
 * properties, {@code name=value}. Fewer are written where the warm-up was too slow for all. It prints a line for each phase:
 * its name, bytes or files, and the nanoseconds. Reads are compared with the writes.
 */
public final class FilesMain {
    private static final int MEGABYTE = 1 << 20;
    private static final int KILOBYTE = 1 << 10;
    /** Uncounted share of small files for warm-up. */
    private static final double WARM_UP = 0.25;

    private final FileSystem fs;
    private final Path root;
    /** Each file is a part of it that begins within its first length. */
    private final byte[] pattern;

    private FilesMain(FileSystem fs, Path root, int mostBytes) {
        this.fs = fs;
        this.root = root;
        pattern = new byte[Math.max(MEGABYTE, 2 * mostBytes)];
        new Random(1).nextBytes(pattern);
    }

    public static void main(String[] arguments) throws Exception {
        Configuration conf = new Configuration();
        for (int i = 7; i < arguments.length; i++) {
            String[] property = arguments[i].split("=", 2);
            conf.set(property[0], property[1]);
        }
        try (FileSystem fs = FileSystem.newInstance(URI.create(arguments[0]), conf)) {
            int[] kilobytes = Stream.of(arguments[5].split(",", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            FilesMain files = new FilesMain(
                    fs,
                    new Path(arguments[1]),
                    KILOBYTE * IntStream.of(kilobytes).max().orElseThrow());
            fs.mkdirs(files.root);
            files.large(Integer.parseInt(arguments[2]));
            for (int size : kilobytes) {
                files.small(
                        Integer.parseInt(arguments[3]),
                        Integer.parseInt(arguments[4]),
                        size,
                        Long.parseLong(arguments[6]));
            }
            fs.delete(files.root, true);
        }
        System.exit(0);
    }

    private static void print(String phase, long amount, long begun) {
        System.out.println(phase + " " + amount + " " + (System.nanoTime() - begun));
    }

    private void large(int megabytes) throws IOException {
        Path file = new Path(root, "large");
        CRC32C expected = new CRC32C();
        for (int i = 0; i < megabytes; i++) {
            expected.update(pattern, 0, MEGABYTE);
        }
        long begun = System.nanoTime();
        try (OutputStream out = fs.create(file)) {
            for (int i = 0; i < megabytes; i++) {
                out.write(pattern, 0, MEGABYTE);
            }
        }
        print("write", (long) megabytes * MEGABYTE, begun);
        for (String phase : List.of("read", "reread")) {
            begun = System.nanoTime();
            CRC32C crc = new CRC32C();
            byte[] buffer = new byte[MEGABYTE];
            long bytes = 0;
            try (InputStream in = fs.open(file)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    crc.update(buffer, 0, count);
                    bytes += count;
                }
            }
            if (bytes != (long) megabytes * MEGABYTE || crc.getValue() != expected.getValue()) {
                throw new IOException("the large file came back with other bytes");
            }
            print(phase, bytes, begun);
        }
    }

    private void small(int most, int threads, int kilobytes, long seconds)
            throws InterruptedException, ExecutionException {
        Path folder = new Path(root, kilobytes + "k");
        int bytes = kilobytes * KILOBYTE;
        Step create = file -> create(path(folder, file), file, bytes);
        Step read = file -> read(path(folder, file), file, bytes);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            int warmUp = Math.max(1, (int) (most * WARM_UP));
            long begun = System.nanoTime();
            each(pool, threads, 0, warmUp, create);
            int count = within(seconds, most, threads, warmUp * 1e9 / (System.nanoTime() - begun));
            each(pool, threads, 0, warmUp, read);
            begun = System.nanoTime();
            each(pool, threads, warmUp, warmUp + count, create);
            print("create-" + kilobytes + "k", count, begun);
            begun = System.nanoTime();
            each(pool, threads, warmUp, warmUp + count, read);
            print("open-" + kilobytes + "k", count, begun);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Returns how many of the files to write at this rate, one for each thread at least. */
    private static int within(long seconds, int most, int threads, double filesPerSecond) {
        return seconds == 0 ? most : (int) Math.min(most, Math.max(threads, filesPerSecond * seconds));
    }

    private interface Step {
        void take(int file) throws IOException;
    }

    private static void each(ExecutorService pool, int threads, int from, int to, Step step)
            throws InterruptedException, ExecutionException {
        List<Future<?>> parts = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = from + thread;
            parts.add(pool.submit(() -> {
                for (int file = first; file < to; file += threads) {
                    step.take(file);
                }
                return null;
            }));
        }
        for (Future<?> each : parts) {
            each.get();
        }
    }

    private static Path path(Path folder, int file) {
        return new Path(folder, file % 64 + "/" + file);
    }

    private void create(Path path, int file, int length) throws IOException {
        try (OutputStream out = fs.create(path)) {
            out.write(pattern, file % length, length);
        }
    }

    private void read(Path path, int file, int length) throws IOException {
        byte[] bytes;
        try (InputStream in = fs.open(path)) {
            bytes = in.readAllBytes();
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        CRC32C expected = new CRC32C();
        expected.update(pattern, file % length, length);
        if (bytes.length != length || crc.getValue() != expected.getValue()) {
            throw new IOException(path + " came back with other bytes");
        }
    }
}
