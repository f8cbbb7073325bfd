package io.lambdafs.cluster.dump;

import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.engine.RowDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the segments of a dump into a store, several at once; each is checked before the first of its rows is put. A
 * thread holds the bytes of its segment and the rows of the commits under way, however large the dump. Single use.
 */
final class SegmentLoader {
    private static final int BATCH_BYTES = 512 << 10;
    /** The number of commits of a segment under way at once. */
    private static final int IN_FLIGHT = 4;

    private final MetadataStore store;
    private final Path directory;
    private final Manifest manifest;
    private final Progress progress;
    private final long all;
    private long done;

    SegmentLoader(MetadataStore store, Path directory, Manifest manifest, Progress progress) {
        this.store = store;
        this.directory = directory;
        this.manifest = manifest;
        this.progress = progress;
        this.all =
                manifest.segments().stream().mapToLong(Manifest.Segment::rows).sum();
    }

    /**
     * Puts all rows.
     *
     * @param loaded receives the sum of each segment's rows once they are put
     * @param beside runs meanwhile
     */
    void load(int threads, BiConsumer<Manifest.Segment, RowSum> loaded, Runnable beside) {
        List<Runnable> parts = new ArrayList<>();
        parts.add(beside);
        Map<String, Key> ends = new HashMap<>();
        for (Manifest.Segment segment : manifest.segments()) {
            Key after = ends.put(segment.table(), segment.lastKey());
            parts.add(() -> loaded.accept(segment, loadChecked(segment, after)));
        }
        Threads.run(threads + 1, parts);
    }

    /** Fails with {@code INVALID_ARGUMENT} at the first line that is no row. */
    private RowSum loadChecked(Manifest.Segment segment, @Nullable Key after) {
        try {
            return load(segment, after);
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw Manifest.damaged(directory.resolve(segment.file()), e);
        }
    }

    /** @param after the last key of the table's previous segment; null for the first */
    private RowSum load(Manifest.Segment segment, @Nullable Key after) {
        Key last = after;
        RowDigest digest = new RowDigest();
        Deque<Batch> underWay = new ArrayDeque<>();
        List<Mutation> next = new ArrayList<>();
        int bytes = 0;
        Iterator<Row> rows = rows(segment);
        while (rows.hasNext()) {
            Row row = rows.next();
            if (last != null && last.compareTo(row.key()) >= 0) {
                throw damaged(segment, "its rows are not in order");
            }
            last = row.key();
            digest.add(row);
            next.add(new Mutation.Put(row));
            bytes += row.estimatedBytes();
            if (bytes >= BATCH_BYTES) {
                put(underWay, next);
                next = new ArrayList<>();
                bytes = 0;
            }
        }
        put(underWay, next);
        underWay.forEach(Batch::await);
        if (digest.rows() != segment.rows() || !Objects.equals(last, segment.lastKey())) {
            throw damaged(segment, "its rows are not those that the manifest counted");
        }
        synchronized (this) {
            done += segment.rows();
            progress.at(Load.LOADING, done, all);
        }
        return digest.sum();
    }

    private void put(Deque<Batch> underWay, List<Mutation> rows) {
        if (underWay.size() >= IN_FLIGHT) {
            underWay.remove().await();
        }
        underWay.add(new Batch(rows));
    }

    /** A commit of whole rows, so that it may be repeated. */
    private final class Batch {
        private final List<Mutation> rows;
        private final CompletionStage<Void> first;

        Batch(List<Mutation> rows) {
            this.rows = rows;
            this.first = commit();
        }

        private CompletionStage<Void> commit() {
            return store.begin(0).commit(rows, Long.MAX_VALUE);
        }

        void await() {
            Answers.await(first, this::commit);
        }
    }

    /** Returns the rows of a segment, whose bytes are checked. */
    private Iterator<Row> rows(Manifest.Segment segment) {
        Path file = directory.resolve(segment.file());
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw FileTrouble.of("cannot read the segment " + file, e);
        }
        if (bytes.length != segment.bytes() || !Manifest.sha256(bytes).equals(segment.sha256())) {
            throw damaged(segment, "its checksum is not the manifest's");
        }
        return RowLines.read(segment.of(), manifest.columns(segment.of()), bytes);
    }

    private FsException damaged(Manifest.Segment segment, String how) {
        return Manifest.damaged(directory.resolve(segment.file()), new IOException(how));
    }
}
