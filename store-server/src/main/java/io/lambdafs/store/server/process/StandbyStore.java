package io.lambdafs.store.server.process;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.engine.ServedStore;
import io.lambdafs.store.lock.LockTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A standby for a store: unavailable while another server serves the database, then takes over (PROTOCOL: D8).
 * Thread-safe; its thread waits, and ends this process if the database cannot be taken at all.
 */
final class StandbyStore implements ServedStore {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyStore.class);

    private static final long PAUSE_MILLIS = 200;

    private final Opening opening;
    private final Thread waiting = new Thread(this::await, "store-standby");
    private @Nullable ServedStore taken;
    private boolean closed;

    /** Opens the engine. */
    @FunctionalInterface
    interface Opening {
        /** Opens the store; fails as retriable if another server has the database or it cannot be reached. */
        ServedStore open() throws IOException;
    }

    StandbyStore(Opening opening) {
        this.opening = opening;
        waiting.setDaemon(true);
    }

    /** Starts waiting. */
    void start() {
        waiting.start();
    }

    private void await() {
        while (!isClosed()) {
            try {
                take(opening.open());
                return;
            } catch (IOException e) {
                throw new IllegalStateException("the store cannot be opened", e);
            } catch (FsException e) {
                if (e.code().disposition() == Disposition.FINAL) {
                    throw e;
                }
                LOG.info("This server waits: {}", e.getMessage());
            }
            if (!pause()) {
                return;
            }
        }
    }

    /** Pauses between attempts, because an unreachable database fails at once. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void take(ServedStore store) {
        if (closed) {
            store.close();
        } else {
            taken = store;
            LOG.info("This server serves now");
        }
    }

    private synchronized @Nullable ServedStore taken() {
        return taken;
    }

    /** Returns why it does not serve; empty if it does. */
    Optional<FsException> refusal() {
        return taken() == null ? Optional.of(waits()) : Optional.empty();
    }

    private static FsException waits() {
        return FsException.unavailable("it waits to take the place of the store server that serves");
    }

    private ServedStore there() {
        ServedStore store = taken();
        if (store == null) {
            throw waits();
        }
        return store;
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return there().begin(epoch);
    }

    private <T> CompletionStage<T> ask(Function<MetadataStore, CompletionStage<T>> question) {
        ServedStore store = taken();
        return store == null ? CompletableFuture.failedFuture(waits()) : question.apply(store);
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        return ask(store -> store.fence(epoch));
    }

    @Override
    public CompletionStage<String> openSnapshot() {
        return ask(MetadataStore::openSnapshot);
    }

    @Override
    public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return ask(store -> store.scanSnapshot(scan));
    }

    @Override
    public CompletionStage<RowSum> sumSnapshot(SnapshotScan scan, int most) {
        return ask(store -> store.sumSnapshot(scan, most));
    }

    @Override
    public CompletionStage<Void> closeSnapshot(String snapshot) {
        return ask(store -> store.closeSnapshot(snapshot));
    }

    @Override
    public int openTransactions() {
        ServedStore store = taken();
        return store == null ? 0 : store.openTransactions();
    }

    @Override
    public LockTable.Statistics lockStatistics() {
        ServedStore store = taken();
        return store == null ? new LockTable.Statistics(0, 0, 0, 0, 0, 0) : store.lockStatistics();
    }

    @Override
    public boolean serves() {
        return taken() != null;
    }

    /** A waiting standby is healthy. */
    @Override
    public Optional<String> trouble() {
        ServedStore store = taken();
        return store == null ? Optional.empty() : store.trouble();
    }

    @Override
    public void close() {
        ServedStore store;
        synchronized (this) {
            closed = true;
            store = taken;
        }
        if (store != null) {
            store.close();
        } else {
            waiting.interrupt();
        }
    }
}
