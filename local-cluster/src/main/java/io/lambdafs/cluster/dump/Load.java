package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import io.lambdafs.store.format.FormatLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fills an empty store of any engine with a dump. The store is no file system until all of it is there and has been
 * read again: until then its format level names the dump, and every build refuses that. An interrupted load is
 * repeated. Single use, not thread-safe.
 */
public final class Load {
    /**
     * The distance by which numbers continue after the dump's: numbers issued after the dump, for example to objects of
     * blocks, are not issued again.
     */
    static final long SKIPPED = 1L << 32;

    /** The {@link Progress} activity while rows are put, before all are read again. */
    public static final String LOADING = "loading";

    private final MetadataStore store;
    private final Manifest manifest;
    /** The name in the store's mark while it is filled. */
    private final String name;

    private Load(MetadataStore store, Manifest manifest, String name) {
        this.name = name;
        this.store = store;
        this.manifest = manifest;
    }

    /** The time at which the loaded rows are compared. */
    public enum Comparing {
        /** As soon as some segments are there: while a database waits for its disk, processors are idle. */
        WHILE_LOADING,
        /** At the end: if a store keeps no versions of rows, a snapshot costs a read of each row written meanwhile. */
        AFTERWARDS;

        /** Returns the faster one for an engine. */
        public static Comparing of(String engine) {
            return engine.equals("ndb") ? AFTERWARDS : WHILE_LOADING;
        }
    }

    /** The result of a load. */
    public record Report(String dump, long rows, long inodes, long bytes) {}

    /** Returns the settings of the dumped file system, by name; fails as {@link #run} if there is no whole dump. */
    public static Map<String, String> settings(Path directory) {
        return whole(directory).header().settings();
    }

    /**
     * Loads a whole dump.
     *
     * @param threads the number of segments loaded at once, and then read again, three at most
     * @param comparing when the store begins to read again
     * @throws FsException {@code NOT_FOUND}: there is no dump; {@code NOT_ALLOWED}: it is not whole, or the store is
     *     not empty; {@code INVALID_ARGUMENT}: it is damaged; {@code UNSUPPORTED}: it is of a newer build
     */
    public static Report run(MetadataStore store, Path directory, int threads, Comparing comparing, Progress progress) {
        Manifest manifest = whole(directory);
        Load load = new Load(store, manifest, manifest.header().dump());
        load.claim();
        Verification verification = new Verification(store, directory, manifest, progress);
        Runnable beside = comparing == Comparing.WHILE_LOADING ? verification::runWhileLoading : () -> {};
        new SegmentLoader(store, directory, manifest, progress).load(threads, verification::loaded, beside);
        verification.run(threads);
        load.finish();
        long rows =
                manifest.segments().stream().mapToLong(Manifest.Segment::rows).sum();
        long bytes =
                manifest.segments().stream().mapToLong(Manifest.Segment::bytes).sum();
        return new Report(manifest.header().dump(), rows, Dump.inodes(manifest.segments()), bytes);
    }

    /** Puts a whole dump into a store, which remains marked as being filled, under that name. */
    static void fill(MetadataStore store, Path directory, String name, int threads, Progress progress) {
        Manifest manifest = whole(directory);
        new Load(store, manifest, name).claim();
        new SegmentLoader(store, directory, manifest, progress).load(threads, (segment, sum) -> {}, () -> {});
    }

    private static Manifest whole(Path directory) {
        Manifest manifest = Manifest.read(directory);
        if (!manifest.isWhole()) {
            throw new FsException(
                    ErrorCode.NOT_ALLOWED,
                    "the dump in " + directory
                            + " was interrupted: go on with it by dump --resume, or take another one");
        }
        String level = manifest.header().level();
        if (level.isEmpty()) {
            throw FsException.invalidArgument("the dump in " + directory + " is of a store that was not formatted");
        }
        FormatLevel.of(new Row(FormatLevel.KEY, level));
        manifest.checkColumns();
        return manifest;
    }

    private Row loading() {
        return new Row(FormatLevel.KEY, FormatLevel.LOADING + name);
    }

    /**
     * Marks the store as being filled with this dump; refuses a store with rows, except those of an interrupted load of
     * it.
     */
    private void claim() {
        Row found = Answers.await(() -> read(FormatLevel.KEY)).get(0);
        if (found != null && found.equals(loading())) {
            return;
        }
        if (found == null) {
            demandEmpty();
        }
        change(store, before -> {
            if (before != null && !before.equals(loading())) {
                throw notEmpty("it has the format level \"" + before.string(0) + '"');
            }
            return List.of(new Mutation.Put(loading()));
        });
    }

    /**
     * Commits a function's changes to the level, which is locked meanwhile; commits nothing if there are none, or the
     * function fails.
     */
    static void change(MetadataStore store, Function<@Nullable Row, List<Mutation>> changes) {
        Answers.await(() -> {
            StoreTransaction transaction = store.begin(0);
            return transaction.read(List.of(Read.exclusive(FormatLevel.KEY)), 0).thenCompose(rows -> {
                List<Mutation> made = List.of();
                try {
                    made = changes.apply(rows.get(0));
                } finally {
                    if (made.isEmpty()) {
                        transaction.abort();
                    }
                }
                return made.isEmpty()
                        ? CompletableFuture.<@Nullable Void>completedFuture(null)
                        : transaction.commit(made, Long.MAX_VALUE);
            });
        });
    }

    private CompletionStage<List<@Nullable Row>> read(Key key) {
        return store.begin(0).readAndEnd(List.of(Read.unlocked(key)), 0);
    }

    private void demandEmpty() {
        String snapshot = Answers.await(store::openSnapshot);
        for (Table table : Schema.TABLES) {
            if (table.hasRows()) {
                List<Row> first = Answers.await(() -> store.scanSnapshot(new SnapshotScan(snapshot, table, null)));
                if (first.stream().anyMatch(each -> !table.equals(Schema.SETTINGS) || !Dump.isOfEngine(each))) {
                    Snapshot.close(store, snapshot);
                    throw notEmpty("its table " + table + " has rows");
                }
            }
        }
        Snapshot.close(store, snapshot);
    }

    /** Returns when all rows put are durable: while a store is being loaded, commits may be answered earlier. */
    static void settle(MetadataStore store) {
        change(store, level -> {
            if (level == null || !FormatLevel.isLoading(level)) {
                throw new FsException(
                        ErrorCode.INTERNAL,
                        "the store is not being loaded any more: does something else write there? Empty it, and load again");
            }
            return List.of(new Mutation.Put(level));
        });
    }

    private static FsException notEmpty(String why) {
        return new FsException(
                ErrorCode.NOT_ALLOWED,
                "a dump is loaded into an empty store only, and this one is not: " + why
                        + "; name another directory or database, or remove what is there");
    }

    /** Makes the store a file system. */
    private void finish() {
        List<Mutation> changes = new ArrayList<>();
        manifest.header()
                .settings()
                .forEach((name, value) -> changes.add(new Mutation.Put(new Row(Schema.SETTINGS.key(name), value))));
        String snapshot = Answers.await(store::openSnapshot);
        Snapshot.rows(store, snapshot, Schema.SEQUENCES)
                .filter(each -> !each.key().equals(ChangeLog.TRIMMED))
                .forEach(each -> changes.add(new Mutation.Merge(
                        each.key(), List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, SKIPPED)))));
        Snapshot.close(store, snapshot);
        // None if the answer to this commit was lost before.
        change(store, level -> Objects.equals(level, loading()) ? changes : List.of());
    }
}
