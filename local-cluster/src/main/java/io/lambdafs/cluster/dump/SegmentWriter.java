package io.lambdafs.cluster.dump;

import io.lambdafs.model.disk.DirectorySync;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.store.Key;
import io.lambdafs.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The files of a dump. A separate thread writes a segment to the disk while the next one is read; one at a time, so
 * that the manifest lists whole segments only, in order. Otherwise confined to one thread.
 */
final class SegmentWriter implements AutoCloseable {
    private final Path directory;
    private final Progress progress;
    private final List<String> lines = new ArrayList<>();
    private final List<Manifest.Segment> segments = new ArrayList<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread writer = new Thread(task, "dump-write");
        writer.setDaemon(true);
        return writer;
    });
    private @Nullable Future<?> underWay;
    private long rows;

    SegmentWriter(Path directory, Progress progress) {
        this.directory = directory;
        this.progress = progress;
    }

    /** Continues an interrupted dump, without the remains of its last line. */
    void goOn(Manifest before) throws IOException {
        lines.addAll(before.lines());
        segments.addAll(before.segments());
        rows = segments.stream().mapToLong(Manifest.Segment::rows).sum();
        put(Manifest.FILE, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a line of the manifest; no segment may be under way. */
    void append(String line) throws IOException {
        lines.add(line);
        write(
                directory.resolve(Manifest.FILE),
                StandardOpenOption.APPEND,
                (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Queues a segment for writing, after the previous one; fails as that one did. */
    void write(Table table, int count, byte[] bytes, Key last) throws IOException {
        await();
        underWay = thread.submit(() -> {
            writeNow(table, count, bytes, last);
            return null;
        });
    }

    private void writeNow(Table table, int count, byte[] bytes, Key last) throws IOException {
        String name = String.format(Locale.ROOT, "%06d-%s.jsonl", segments.size() + 1, table.name());
        put(name, bytes);
        Manifest.Segment written =
                new Manifest.Segment(name, table.name(), count, bytes.length, Manifest.sha256(bytes), last.parts());
        segments.add(written);
        append(Manifest.line(written));
        rows += count;
        progress.at("dumping", rows, 0);
    }

    /** Waits until no segment is under way; fails as the last one did. */
    private void await() throws IOException {
        Future<?> last = underWay;
        underWay = null;
        if (last == null) {
            return;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    last.get();
                    return;
                } catch (InterruptedException e) {
                    // The segment being written is soon whole.
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Completes the dump; returns its segments. */
    List<Manifest.Segment> finish() throws IOException {
        await();
        append(Manifest.line(Manifest.end(segments, lines)));
        return List.copyOf(segments);
    }

    /** Makes or replaces a whole file: after a crash it is as before or as it is to be. */
    private void put(String name, byte[] bytes) throws IOException {
        Path draft = directory.resolve(name + ".part");
        write(draft, StandardOpenOption.TRUNCATE_EXISTING, bytes);
        Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        DirectorySync.sync(directory);
    }

    /** Writes to the disk, into a file that only its owner can read: it contains contents of files. */
    private static void write(Path path, OpenOption how, byte[] bytes) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
        try (FileChannel file = FileChannel.open(path, options, PrivateFolder.forFile(path))) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                file.write(left);
            }
            file.force(true);
        }
    }

    /** Returns when nothing is being written any more. */
    @Override
    public void close() {
        try {
            await();
        } catch (IOException | RuntimeException e) {
            // The dump has failed already, or the failure would have been reported.
        } finally {
            thread.shutdown();
        }
    }
}
