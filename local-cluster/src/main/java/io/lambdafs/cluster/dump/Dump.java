package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a snapshot of a store into a directory, a segment at a time: it takes the memory of three segments, and an
 * interrupted dump continues after its last whole segment. Single use, not thread-safe.
 */
public final class Dump {
    /** A segment ends with the row that reaches this size. */
    static final int SEGMENT_BYTES = 8 << 20;

    private final MetadataStore store;
    private final Path directory;
    private final SegmentWriter files;

    private Dump(MetadataStore store, Path directory, SegmentWriter files) {
        this.store = store;
        this.directory = directory;
        this.files = files;
    }

    /** The contents of a dump. */
    public record Report(String dump, long createdMillis, long segments, long rows, long bytes, long inodes) {}

    /**
     * Dumps a serving store.
     *
     * @param directory is created, open only to its owner; must be empty, or hold an interrupted dump
     * @param resume whether to continue such a dump
     * @param progress receives the progress
     * @throws FsException {@code ALREADY_EXISTS}: the directory has a dump, or other files; {@code NOT_FOUND}: there is
     *     nothing to continue, or the store has closed the snapshot meanwhile; {@code UNSUPPORTED}: the store's engine
     *     has no snapshots
     */
    public static Report run(MetadataStore store, Path directory, boolean resume, Progress progress) {
        try (SegmentWriter files = new SegmentWriter(directory, progress)) {
            Dump dump = new Dump(store, directory, files);
            if (resume && Manifest.hasNoLine(directory)) {
                // Interrupted before it had a moment to go on with.
                Files.delete(directory.resolve(Manifest.FILE));
                return dump.begin();
            }
            return resume ? dump.goOn(Manifest.read(directory)) : dump.begin();
        } catch (IOException e) {
            throw FileTrouble.of("cannot write the dump to " + directory, e);
        }
    }

    private Report begin() throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, PrivateFolder.forFolder(directory));
        }
        try (Stream<Path> found = Files.list(directory)) {
            if (found.findAny().isPresent()) {
                throw new FsException(
                        ErrorCode.ALREADY_EXISTS,
                        directory + " is not empty: name another directory, or go on with the dump there by --resume");
            }
        }
        String snapshot = Answers.await(store::openSnapshot);
        Map<String, String> settings = new LinkedHashMap<>();
        Snapshot.rows(store, snapshot, Schema.SETTINGS)
                .filter(each -> !isOfEngine(each))
                .forEach(each -> settings.put(each.key().string(0), each.string(0)));
        Map<String, List<String>> tables = new LinkedHashMap<>();
        Snapshot.carried().forEach(each -> tables.put(each.name(), Manifest.columnsOf(each)));
        Manifest.Header header = new Manifest.Header(
                UUID.randomUUID().toString(), Manifest.SCHEMA, System.currentTimeMillis(), snapshot, settings, tables);
        files.append(Manifest.line(header));
        return write(header, null);
    }

    /** Returns whether a setting is about the files of an engine. */
    public static boolean isOfEngine(Row setting) {
        return setting.key().string(0).startsWith("store.");
    }

    private Report goOn(Manifest before) throws IOException {
        if (before.isWhole()) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, "the dump in " + directory + " is whole already");
        }
        files.goOn(before);
        List<Manifest.Segment> segments = before.segments();
        try {
            return write(before.header(), segments.isEmpty() ? null : segments.get(segments.size() - 1));
        } catch (FsException e) {
            throw e.code() == ErrorCode.NOT_FOUND
                    ? new FsException(
                            e.code(), "cannot go on with the dump: " + e.getMessage() + ", in another directory", e)
                    : e;
        }
    }

    private Report write(Manifest.Header header, Manifest.@Nullable Segment last) throws IOException {
        Key after = last == null ? null : last.lastKey();
        boolean begun = last == null;
        for (Table table : Snapshot.carried()) {
            boolean here = after != null && after.table().equals(table);
            if (begun || here) {
                begun = true;
                write(table, new SnapshotRows(store, header.snapshot(), table, here ? after : null));
            }
        }
        List<Manifest.Segment> all = files.finish();
        Snapshot.close(store, header.snapshot());
        return new Report(
                header.dump(),
                header.createdMillis(),
                all.size(),
                all.stream().mapToLong(Manifest.Segment::rows).sum(),
                all.stream().mapToLong(Manifest.Segment::bytes).sum(),
                inodes(all));
    }

    static long inodes(List<Manifest.Segment> segments) {
        return segments.stream()
                .filter(each -> each.table().equals(Schema.INODES.name()))
                .mapToLong(Manifest.Segment::rows)
                .sum();
    }

    private void write(Table table, SnapshotRows from) throws IOException {
        RowLines.Writer segment = new RowLines.Writer(SEGMENT_BYTES + (SEGMENT_BYTES >> 3));
        Key last = null;
        while (from.hasNext()) {
            Row row = from.next();
            segment.add(row, table.valueSize());
            last = row.key();
            if (segment.size() >= SEGMENT_BYTES) {
                write(table, segment, last);
            }
        }
        if (segment.rows() > 0 && last != null) {
            write(table, segment, last);
        }
    }

    private void write(Table table, RowLines.Writer segment, Key last) throws IOException {
        int count = segment.rows();
        files.write(table, count, segment.take(), last);
    }
}
