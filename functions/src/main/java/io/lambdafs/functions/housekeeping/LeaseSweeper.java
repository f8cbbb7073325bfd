package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.namenode.write.LeaseWrites;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.WriterLease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Closes files whose writers have been silent beyond the hard limit: one write per file, which rechecks the lease under
 * its locks. The next run picks up what one leaves. Thread-safe.
 */
public final class LeaseSweeper implements Housekeeper {
    private static final int SWEEPS_PER_LIMIT = 10;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final Function<BlockOperation.RecoverLease, CompletionStage<Reply>> recover;
    private final LeaderSweep sweep;

    /**
     * @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done
     * @param recover performs an operation as the superuser
     */
    public LeaseSweeper(
            MetadataStore store,
            Scheduler scheduler,
            LongSupplier epoch,
            Function<BlockOperation.RecoverLease, CompletionStage<Reply>> recover) {
        this.store = store;
        this.scheduler = scheduler;
        this.recover = recover;
        long period = LeaseWrites.HARD_LIMIT.toNanos() / SWEEPS_PER_LIMIT;
        this.sweep = new LeaderSweep(store, scheduler, epoch, period, Schema.WRITTEN_FILES, this::sweep);
    }

    /** Starts sweeping, every tenth of the hard limit after an initial delay of the same. */
    @Override
    public void start() {
        sweep.start();
    }

    @Override
    public void close() {
        sweep.close();
    }

    /** Checks every file being written once; completes when done. Failures are left to the next run. */
    public CompletionStage<Void> run() {
        return sweep.run();
    }

    private CompletionStage<Void> sweep(long current, Row file) {
        long id = file.key().int64(1);
        return store.begin(current)
                .readAndEnd(List.of(Read.unlocked(WriterLease.key(id))), 0)
                .thenCompose(rows -> rows.get(0) != null && isHeld(rows.get(0))
                        ? CompletableFuture.completedFuture(null)
                        : recover(current, file, id));
    }

    private boolean isHeld(Row lease) {
        return !WriterLease.of(lease).isSilent(scheduler.currentTimeMillis(), LeaseWrites.HARD_LIMIT);
    }

    /** Recovers a file. The path is only where the search starts: the file is found by its id and its directory's. */
    private CompletionStage<Void> recover(long current, Row file, long id) {
        FsPath path = FsPath.ROOT.child(file.string(1));
        return recover.apply(new BlockOperation.RecoverLease(path, new OpenFile(id, file.int64(0))))
                .thenCompose(reply -> isGone(reply) ? forget(current, file) : CompletableFuture.completedFuture(null))
                .exceptionally(error -> null);
    }

    /** Removes the row of a file that is gone, which never comes back. */
    private CompletionStage<Void> forget(long current, Row file) {
        StoreTransaction transaction = store.begin(current);
        return transaction
                .read(List.of(Read.shared(Rows.instanceKey(current)), Read.exclusive(file.key())), 0)
                .thenCompose(rows -> rows.get(0) == null
                        ? CompletableFuture.failedFuture(
                                new FsException(ErrorCode.FENCED, "the epoch " + current + " is over"))
                        : transaction.commit(List.of(new Mutation.Delete(file.key())), Long.MAX_VALUE))
                .whenComplete((done, error) -> transaction.abort());
    }

    private static boolean isGone(Reply reply) {
        return reply instanceof Reply.Failure failure && failure.code() == ErrorCode.NOT_FOUND;
    }
}
