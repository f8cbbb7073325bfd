package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.format.FormatLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves all rows from a serving store into another one of any engine, in two steps: {@link #begin} while the first one
 * is still written, and {@link #finish} once no instance writes it, which compares each row of both. An interrupted
 * move is repeated from the start, into the same store. Single use, not thread-safe.
 */
public final class Copy {
    private static final String NAME = "migration";
    /** The target store's mark in place of its format level while it is filled. */
    private static final Row LOADING = new Row(FormatLevel.KEY, FormatLevel.LOADING + NAME);
    /** The mark once it has everything, followed by the level of the source store. */
    private static final String WHOLE = FormatLevel.LOADING + NAME + " that is whole, of level ";

    private static final int BATCH_BYTES = 512 << 10;
    private static final int KEY_BYTES = 64;
    private static final int TOLD_ROWS = 65_536;

    private final MetadataStore from;
    private final MetadataStore to;
    private final Progress progress;

    public Copy(MetadataStore from, MetadataStore to, Progress progress) {
        this.from = from;
        this.to = to;
        this.progress = progress;
    }

    /**
     * The result of a pass over both stores.
     *
     * @param rows of the source store
     * @param changed rows that were missing, different or extra in the target store
     */
    public record Pass(long rows, long inodes, long changed) {}

    /**
     * Fills the target store with a dump of this moment, then with the changes since.
     *
     * @param directory for the dump, which is left there; must be empty or missing
     * @param threads the number of segments loaded at once
     * @throws FsException as {@link Dump#run} and {@link Load#run}
     */
    public Pass begin(Path directory, int threads) {
        Dump.run(from, directory, false, progress);
        Load.change(to, level -> isWhole(level) ? List.of(new Mutation.Put(LOADING)) : List.of());
        Load.fill(to, directory, NAME, threads, progress);
        return pass(true);
    }

    /**
     * Ends all epochs, so that no instance writes any more, copies the remaining differences, compares every row, and
     * marks the target store as whole. It serves after {@link #publish}, and may be filled again instead.
     *
     * @return the result of the comparison
     * @throws FsException {@code INTERNAL}: the stores still differ; the target store does not serve
     */
    public Pass finish() {
        endEpochs();
        pass(true);
        Load.settle(to);
        Pass compared = pass(false);
        if (compared.changed() > 0) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    compared.changed() + " rows differ between the stores: does something else write to one of them?");
        }
        becomeWhole();
        return compared;
    }

    private void endEpochs() {
        List<Row> epochs;
        do {
            epochs = Answers.await(() -> from.begin(0).scan(new Scan(Schema.EPOCHS, 0L, null, Scan.MAX_LIMIT)));
            epochs.forEach(each -> Answers.await(() -> from.fence(each.key().int64(1))));
        } while (!epochs.isEmpty());
    }

    private Pass pass(boolean change) {
        String source = Answers.await(from::openSnapshot);
        String target = Answers.await(to::openSnapshot);
        try {
            long rows = 0;
            long inodes = 0;
            long changed = 0;
            for (Table table : Snapshot.carried()) {
                Pass one = new Merge(
                                new SnapshotRows(from, source, table, null),
                                new SnapshotRows(to, target, table, null),
                                change)
                        .run(rows);
                rows += one.rows();
                changed += one.changed();
                inodes += table.equals(Schema.INODES) ? one.rows() : 0;
            }
            return new Pass(rows, inodes, changed);
        } finally {
            Snapshot.close(from, source);
            Snapshot.close(to, target);
        }
    }

    /** A table of both stores, in key order. Single use. */
    private final class Merge {
        private final SnapshotRows source;
        private final SnapshotRows target;
        private final boolean change;
        private List<Mutation> next = new ArrayList<>();
        private int bytes;
        private long rows;
        private long changed;

        Merge(SnapshotRows source, SnapshotRows target, boolean change) {
            this.source = source;
            this.target = target;
            this.change = change;
        }

        Pass run(long before) {
            Row there = following(target);
            while (source.hasNext()) {
                Row wanted = source.next();
                while (there != null && there.key().compareTo(wanted.key()) < 0) {
                    delete(there.key());
                    there = following(target);
                }
                if (there != null && there.key().equals(wanted.key())) {
                    if (!there.equals(wanted)) {
                        put(wanted);
                    }
                    there = following(target);
                } else {
                    put(wanted);
                }
                if (++rows % TOLD_ROWS == 0) {
                    progress.at(change ? "comparing" : "verifying", before + rows, 0);
                }
            }
            for (; there != null; there = following(target)) {
                delete(there.key());
            }
            flush();
            return new Pass(rows, 0, changed);
        }

        private static @Nullable Row following(SnapshotRows rows) {
            return rows.hasNext() ? rows.next() : null;
        }

        private void put(Row row) {
            add(new Mutation.Put(row), row.estimatedBytes());
        }

        private void delete(Key key) {
            add(new Mutation.Delete(key), KEY_BYTES);
        }

        private void add(Mutation mutation, int size) {
            changed++;
            if (change) {
                next.add(mutation);
                bytes += size;
                if (bytes >= BATCH_BYTES) {
                    flush();
                }
            }
        }

        private void flush() {
            List<Mutation> batch = next;
            if (!batch.isEmpty()) {
                Answers.await(() -> to.begin(0).commit(batch, Long.MAX_VALUE));
            }
            next = new ArrayList<>();
            bytes = 0;
        }
    }

    /** Gives the target store all settings, and its format level, except that it is no file system yet. */
    private void becomeWhole() {
        String snapshot = Answers.await(from::openSnapshot);
        List<Mutation> settings = Snapshot.rows(from, snapshot, Schema.SETTINGS)
                .filter(each -> !Dump.isOfEngine(each))
                .<Mutation>map(each -> new Mutation.Put(
                        each.key().equals(FormatLevel.KEY) ? new Row(FormatLevel.KEY, WHOLE + each.string(0)) : each))
                .toList();
        Snapshot.close(from, snapshot);
        Answers.await(() -> to.begin(0).commit(settings, Long.MAX_VALUE));
    }

    /** Returns whether a store has everything that was moved to it, and is no file system yet. */
    public static boolean isWhole(MetadataStore store) {
        return isWhole(Answers.await(() -> store.begin(0).readAndEnd(List.of(Read.unlocked(FormatLevel.KEY)), 0))
                .get(0));
    }

    private static boolean isWhole(@Nullable Row level) {
        return level != null && level.string(0).startsWith(WHOLE);
    }

    /** Makes a whole store a file system. */
    public static void publish(MetadataStore store) {
        Load.change(
                store,
                level -> level != null && isWhole(level)
                        ? List.of(new Mutation.Put(
                                new Row(FormatLevel.KEY, level.string(0).substring(WHOLE.length()))))
                        : List.of());
    }
}
