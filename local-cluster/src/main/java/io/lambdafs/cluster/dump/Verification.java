package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads all that was loaded again, several segments at once, and compares it with the dump's checksums. A segment is read from behind the
 * last key of the one before it, as many rows as it has, and the last one to the end of its table: so each row of the store is in the part
 * of exactly one segment, and one that no dump has shows as another checksum, or as a row too many. Single use.
 */
final class Verification {
    /** Each has a snapshot of its own, and others need one, too. */
    private static final int MOST_THREADS = RowSnapshot.MAX_OPEN - 1;

    private final MetadataStore store;
    private final Path directory;
    private final Manifest manifest;
    private final Progress progress;
    private final long all;
    private final Queue<Part> parts = new ConcurrentLinkedQueue<>();
    private long done;

    Verification(MetadataStore store, Path directory, Manifest manifest, Progress progress) {
        this.store = store;
        this.directory = directory;
        this.manifest = manifest;
        this.progress = progress;
        this.all =
                manifest.segments().stream().mapToLong(Manifest.Segment::rows).sum();
        Snapshot.carried().forEach(this::addParts);
    }

    /**
     * Keys of a table, between those of its segments.
     *
     * @param after the last key of the segment before; null for the first one
     * @param segment null where the table has none, and so no row
     */
    private record Part(Table table, @Nullable Key after, Manifest.@Nullable Segment segment, boolean isLast) {}

    private void addParts(Table table) {
        List<Manifest.Segment> segments = manifest.segments().stream()
                .filter(each -> each.table().equals(table.name()))
                .toList();
        if (segments.isEmpty()) {
            parts.add(new Part(table, null, null, true));
        }
        Key after = null;
        for (int i = 0; i < segments.size(); i++) {
            Manifest.Segment segment = segments.get(i);
            parts.add(new Part(table, after, segment, i == segments.size() - 1));
            after = RowLines.key(table, segment.last());
        }
    }

    /**
     * Compares everything.
     *
     * @throws FsException {@code INTERNAL}: the store is not what was loaded
     */
    void run(int threads) {
        int workers = Math.min(threads, MOST_THREADS);
        Threads.run(workers, new ArrayList<>(Collections.nCopies(workers, this::work)));
    }

    private void work() {
        String snapshot = Answers.await(store::openSnapshot);
        try {
            for (Part part = parts.poll(); part != null; part = parts.poll()) {
                verify(part, new SnapshotRows(store, snapshot, part.table(), part.after()));
            }
        } finally {
            Snapshot.close(store, snapshot);
        }
    }

    private void verify(Part part, SnapshotRows rows) {
        Manifest.Segment segment = part.segment();
        if (segment != null) {
            verify(segment, rows);
        }
        if (part.isLast() && rows.hasNext()) {
            throw differs(part.table().name(), "it has a row " + rows.next().key() + " that is not in the dump");
        }
    }

    private void verify(Manifest.Segment segment, SnapshotRows rows) {
        RowLines.Writer again = new RowLines.Writer((int) segment.bytes() + 64);
        int columns = manifest.columns(segment.of());
        Key last = null;
        for (long i = 0; i < segment.rows() && rows.hasNext(); i++) {
            Row row = rows.next();
            again.add(row, columns);
            last = row.key();
        }
        // The next segment is read from that key on: a row must not hide between the two.
        if (!Manifest.sha256(again.take()).equals(segment.sha256())
                || !Objects.equals(last, RowLines.key(segment.of(), segment.last()))) {
            throw differs(segment.table(), "the rows of " + directory.resolve(segment.file()) + " read otherwise");
        }
        synchronized (this) {
            done += segment.rows();
            progress.at("verifying", done, all);
        }
    }

    private static FsException differs(String table, String why) {
        return new FsException(
                ErrorCode.INTERNAL,
                "the store is not what was loaded, in the table " + table + ": " + why
                        + "; does something else write there? Empty it, and load again");
    }
}
