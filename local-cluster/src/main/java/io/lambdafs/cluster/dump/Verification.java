package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.Table;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Makes the store read all loaded rows again, part by part, and sum them up, and compares the sums with those of the
 * rows put. A part is a run of segments, read in one go after the last key of the previous part, with as many rows as
 * each segment has, and the last part to the end of its table: so each row of the store is in exactly one part, and a
 * row that is not in the dump shows as a different sum, or as an extra row. Single use.
 */
final class Verification {
    /** Each thread has its own snapshot, and others need one, too. */
    private static final int MOST_THREADS = RowSnapshot.MAX_OPEN - 1;
    /** About 64 MB of a dump. */
    private static final int PART_SEGMENTS = 8;

    private final MetadataStore store;
    private final Path directory;
    private final Manifest manifest;
    /** The sums of the rows put, by the file of their segment. */
    private final Map<String, RowSum> sums = new ConcurrentHashMap<>();

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
     * A range of keys in a table.
     *
     * @param after the last key of the previous part; null for the first one
     * @param segments empty if the table has none, and so no row
     */
    private record Part(Table table, @Nullable Key after, List<Manifest.Segment> segments, boolean isLast) {}

    private void addParts(Table table) {
        List<Manifest.Segment> segments = manifest.segments().stream()
                .filter(each -> each.table().equals(table.name()))
                .toList();
        int from = 0;
        Key after = null;
        do {
            int to = Math.min(from + PART_SEGMENTS, segments.size());
            parts.add(new Part(table, after, segments.subList(from, to), to == segments.size()));
            if (to > 0) {
                after = segments.get(to - 1).lastKey();
            }
            from = to;
        } while (from < segments.size());
    }

    /** Notes that a segment has been put. */
    void loaded(Manifest.Segment segment, RowSum sum) {
        sums.put(segment.file(), sum);
    }

    /** Compares rows already put while more are being put, part by part; returns when all have been put. */
    void runWhileLoading() {
        while (sums.size() < manifest.segments().size()) {
            Queue<Part> whole = takeWhole();
            if (whole.isEmpty()) {
                Answers.pause();
            } else {
                Load.settle(store);
                verify(whole);
            }
        }
    }

    /** Takes the parts whose segments have all been put. */
    private Queue<Part> takeWhole() {
        Queue<Part> whole = new ArrayDeque<>();
        for (Part each : parts) {
            if (each.segments().stream().allMatch(segment -> sums.containsKey(segment.file()))) {
                whole.add(each);
            }
        }
        parts.removeAll(whole);
        return whole;
    }

    /**
     * Compares everything not compared yet, after all rows have been put.
     *
     * @throws FsException {@code INTERNAL}: the store differs from the dump
     */
    void run(int threads) {
        Load.settle(store);
        int workers = Math.min(threads, MOST_THREADS);
        Threads.run(workers, new ArrayList<>(Collections.nCopies(workers, () -> verify(parts))));
    }

    /** Compares parts in a snapshot, until there are none. */
    private void verify(Queue<Part> some) {
        String snapshot = Answers.await(store::openSnapshot);
        try {
            for (Part part = some.poll(); part != null; part = some.poll()) {
                verify(part, snapshot);
            }
        } finally {
            Snapshot.close(store, snapshot);
        }
    }

    private void verify(Part part, String snapshot) {
        Key after = part.after();
        for (Manifest.Segment segment : part.segments()) {
            after = verify(segment, new SnapshotScan(snapshot, part.table(), after));
        }
        if (part.isLast()) {
            Key more = sum(new SnapshotScan(snapshot, part.table(), after), 1).last();
            if (more != null) {
                throw differs(part.table().name(), "it has a row " + more + " that is not in the dump");
            }
        }
    }

    /** Returns the last key of the segment, after which the next one is read: no row must hide between the two. */
    private Key verify(Manifest.Segment segment, SnapshotScan scan) {
        Key last = segment.lastKey();
        RowSum found = sum(scan, Math.toIntExact(segment.rows()));
        if (!found.equals(sums.get(segment.file())) || !Objects.equals(last, found.last())) {
            throw differs(segment.table(), "the rows of " + directory.resolve(segment.file()) + " read otherwise");
        }
        synchronized (this) {
            done += segment.rows();
            if (sums.size() == manifest.segments().size()) {
                progress.at("verifying", done, all);
            }
        }
        return last;
    }

    private RowSum sum(SnapshotScan scan, int most) {
        return Answers.await(() -> store.sumSnapshot(scan, most));
    }

    private static FsException differs(String table, String why) {
        return new FsException(
                ErrorCode.INTERNAL,
                "the store is not what was loaded, in the table " + table + ": " + why
                        + "; does something else write there? Empty it, and load again");
    }
}
