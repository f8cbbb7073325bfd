package io.lambdafs.door.hdfs.transfer;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Copies a tree between two file systems, several files at once: contents, compared afterwards, and then rights, times,
 * ACLs and extended attributes. A file's time is set last, so that a copy that was ended goes on: what has the same length
 * and time is left as it is. At most {@value #MOST_WAITING} files wait; directories are remembered to the end, when they get
 * their attributes. For one copy.
 */
public final class TreeCopy {
    private static final int MOST_WAITING = 1_000;

    private final FileSystem from;
    private final FileSystem to;
    private final FileCopy files;
    private final Report report;
    private final Counts counts = new Counts();
    /** Parents before what is below them. */
    private final Deque<Made> made = new ArrayDeque<>();

    /** A directory. */
    private record Made(FileStatus source, Path target) {}

    /** Follows a copy. */
    public interface Report {
        void failed(Path path, Exception why);

        void progress(Counts counts);
    }

    /** The numbers of a copy so far. Thread-safe. */
    public static final class Counts {
        private final LongAdder directories = new LongAdder();
        private final LongAdder copied = new LongAdder();
        private final LongAdder same = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder bytes = new LongAdder();

        public long copied() {
            return copied.sum();
        }

        public long same() {
            return same.sum();
        }

        public long failed() {
            return failed.sum();
        }

        @Override
        public String toString() {
            return directories + " directories, " + copied + " files of " + bytes + " bytes copied, " + same
                    + " there already, " + failed + " failed";
        }
    }

    /** @param verify whether contents are compared after they are copied */
    public TreeCopy(FileSystem from, FileSystem to, boolean verify, Report report) {
        this.from = from;
        this.to = to;
        this.files = new FileCopy(from, to, verify);
        this.report = report;
    }

    /** Copies a file, or a directory with all below it, to a path that may exist. */
    public Counts copy(Path source, Path target, int parallel) throws IOException, InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(parallel);
        Semaphore room = new Semaphore(MOST_WAITING);
        try {
            FileStatus root = from.getFileStatus(source);
            if (root.isFile()) {
                each(root, target);
            } else {
                directory(root, target, task -> {
                    room.acquireUninterruptibly();
                    workers.execute(() -> {
                        try {
                            task.run();
                        } finally {
                            room.release();
                        }
                    });
                });
            }
            room.acquire(MOST_WAITING);
            while (!made.isEmpty()) {
                finish(made.removeLast());
            }
            return counts;
        } finally {
            workers.shutdownNow();
        }
    }

    /** Takes work on a file. */
    private interface Working {
        void add(Runnable task);
    }

    private void directory(FileStatus source, Path target, Working working) {
        Made directory = new Made(source, target);
        try {
            to.mkdirs(target);
            made.add(directory);
            children(source, target, working);
        } catch (IOException | RuntimeException e) {
            made.remove(directory);
            fail(source.getPath(), e);
        }
    }

    private void children(FileStatus source, Path target, Working working) throws IOException {
        RemoteIterator<FileStatus> children = from.listStatusIterator(source.getPath());
        while (children.hasNext()) {
            FileStatus child = children.next();
            Path place = new Path(target, child.getPath().getName());
            if (child.isDirectory()) {
                directory(child, place, working);
            } else {
                working.add(() -> each(child, place));
            }
        }
    }

    /** Gives a directory its attributes, once all below it is there. */
    private void finish(Made directory) {
        try {
            files.attributes(directory.source(), directory.target());
            counts.directories.increment();
        } catch (IOException | RuntimeException e) {
            fail(directory.source().getPath(), e);
        }
    }

    private void each(FileStatus source, Path target) {
        try {
            if (isThere(source, target)) {
                counts.same.increment();
            } else {
                files.copy(source, target);
                counts.copied.increment();
                counts.bytes.add(source.getLen());
            }
            report.progress(counts);
        } catch (IOException | RuntimeException e) {
            fail(source.getPath(), e);
        }
    }

    private void fail(Path path, Exception why) {
        counts.failed.increment();
        report.failed(path, why);
    }

    private boolean isThere(FileStatus source, Path target) throws IOException {
        try {
            FileStatus found = to.getFileStatus(target);
            return found.isFile()
                    && found.getLen() == source.getLen()
                    && found.getModificationTime() == source.getModificationTime();
        } catch (FileNotFoundException none) {
            return false;
        }
    }
}
