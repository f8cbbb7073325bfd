package io.lambdafs.benchmarks.traversal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The main class of the reading process, which uses Hadoop's interface. Arguments: the client's configuration, the top
 * directory, the number of files, the bytes of each, the threads, and the seed. It lists the top, then goes through its
 * directories in random order, lists each, and reads every file whole. For each tenth of the files it prints a line: the
 * files read so far, the nanoseconds of that tenth, and the bytes of its heap that live after it.
 */
public final class TraversalMain {
    private static final int PARTS = 10;

    private final FileSystem fs;
    private final byte[] content;
    private final List<Path> directories;
    private final long files;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong read = new AtomicLong();
    private long begun;

    private TraversalMain(FileSystem fs, Path top, long files, int bytes, long seed) throws IOException {
        this.fs = fs;
        this.files = files;
        this.content = TraversalBench.Settings.content(bytes);
        this.directories = new ArrayList<>();
        RemoteIterator<FileStatus> entries = fs.listStatusIterator(top);
        while (entries.hasNext()) {
            directories.add(entries.next().getPath());
        }
        Collections.shuffle(directories, new Random(seed));
    }

    public static void main(String[] arguments) throws Exception {
        Configuration conf = new Configuration();
        conf.set(
                "lambdafs.dir",
                String.valueOf(java.nio.file.Path.of(arguments[0]).getParent()));
        try (FileSystem fs = FileSystem.newInstance(URI.create("lambdafs:///"), conf)) {
            new TraversalMain(
                            fs,
                            new Path(arguments[1]),
                            Long.parseLong(arguments[2]),
                            Integer.parseInt(arguments[3]),
                            Long.parseLong(arguments[5]))
                    .run(Integer.parseInt(arguments[4]));
        }
        System.exit(0);
    }

    private void run(int threads) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        begun = System.nanoTime();
        List<Future<?>> parts = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            parts.add(pool.submit(() -> {
                for (int d = next.getAndIncrement(); d < directories.size(); d = next.getAndIncrement()) {
                    readAll(directories.get(d));
                }
                return null;
            }));
        }
        for (Future<?> each : parts) {
            each.get();
        }
        pool.shutdownNow();
    }

    private void readAll(Path directory) throws IOException {
        RemoteIterator<FileStatus> entries = fs.listStatusIterator(directory);
        while (entries.hasNext()) {
            FileStatus file = entries.next();
            try (InputStream in = fs.open(file.getPath())) {
                if (!Arrays.equals(in.readAllBytes(), content)) {
                    throw new IOException(file.getPath() + " came back with other bytes");
                }
            }
            long done = read.incrementAndGet();
            if (done * PARTS / files > (done - 1) * PARTS / files) {
                tellTenth(done);
            }
        }
    }

    /** Other threads go on meanwhile: what they read in that time belongs to the next tenth, and to its time. */
    private synchronized void tellTenth(long done) {
        long now = System.nanoTime();
        System.gc();
        Runtime heap = Runtime.getRuntime();
        System.out.println(done + " " + (now - begun) + " " + (heap.totalMemory() - heap.freeMemory()));
        begun = now;
    }
}
