package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.EngineStore;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.RowEngine;
import io.lambdafs.store.engine.ServedStore;
import io.lambdafs.store.engine.StoreLimits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: durable rows in RocksDB with locks in memory (the paper's persistent metadata store, §3.1, for
 * one machine). Thread-safe. Owns a commit thread and a few read threads; calls complete on them, on the scheduler's
 * executor, or before returning.
 */
public final class RocksStore extends EngineStore implements ServedStore {
    private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
    private static final Key FORMAT = Schema.SETTINGS.key("store.format");
    private static final String FORMAT_VERSION = "1";

    private final RocksRows rows;

    private RocksStore(LockingStore store, RocksRows rows) {
        super(store);
        this.rows = rows;
    }

    /** Opens a store without an observer, as {@link #open(Scheduler, StoreLimits, RocksSettings, CommitObserver)}. */
    public static RocksStore open(Scheduler scheduler, StoreLimits limits, RocksSettings settings) {
        return open(scheduler, limits, settings, CommitObserver.NONE);
    }

    /**
     * Opens the store in a directory, created if missing. Blocks while the log is replayed.
     *
     * @throws FsException {@code UNAVAILABLE} (the directory cannot be used, or another process uses it), {@code INTERNAL}
     *     (corrupt, or of another format), {@code STORE_FULL}
     */
    public static RocksStore open(
            Scheduler scheduler, StoreLimits limits, RocksSettings settings, CommitObserver observer) {
        RocksRows rows = new RocksRows(scheduler, settings, observer);
        try {
            checkFormat(rows, settings);
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
        LOG.info(
                "Store {} is open{}",
                settings.directory(),
                settings.fsync() ? "" : ", without fsync: a power failure loses commits");
        return new RocksStore(new LockingStore(scheduler, limits, rows), rows);
    }

    private static void checkFormat(RowEngine rows, RocksSettings settings) {
        Row format = await(rows.read(List.of(FORMAT))).get(0);
        if (format == null) {
            await(rows.apply(List.of(new Mutation.Put(new Row(FORMAT, FORMAT_VERSION))), Long.MAX_VALUE));
        } else if (!format.string(0).equals(FORMAT_VERSION)) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    "the store in " + settings.directory() + " has format " + format.string(0) + ", this version reads "
                            + FORMAT_VERSION + "; use the version that wrote it");
        }
    }

    private static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    @Override
    public Optional<String> trouble() {
        return rows.trouble();
    }
}
