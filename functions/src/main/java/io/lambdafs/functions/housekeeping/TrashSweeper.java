package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.namenode.NameNodeSettings;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Empties the users' trash, as HDFS's NameNode does: {@code /user/NAME/.Trash/Current} becomes a checkpoint named by
 * its time, and checkpoints beyond the configured age are deleted. Each step is an ordinary write; deleting a directory
 * only detaches it, and its rows go at the rate of the {@link Reclaimer}. The next run picks up what one leaves, and
 * concurrent leaders do no harm. Thread-safe.
 */
public final class TrashSweeper implements Housekeeper {
    private static final int SWEEPS_PER_LIFE = 10;
    private static final int PAGE = 1_000;
    private static final long LEAST_PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

    private final Scheduler scheduler;
    private final LongSupplier epoch;
    private final Duration life;
    private final ZoneId zone;
    private final Function<Operation<?>, CompletionStage<Reply>> perform;
    private final Chore chore;

    /**
     * Creates a sweeper that is not started.
     *
     * @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done
     * @param perform performs operations as the superuser, sequentially
     */
    public TrashSweeper(
            Scheduler scheduler,
            LongSupplier epoch,
            NameNodeSettings.Trash rule,
            Function<Operation<?>, CompletionStage<Reply>> perform) {
        this.scheduler = scheduler;
        this.epoch = epoch;
        this.life = rule.life();
        this.zone = rule.zone();
        this.perform = perform;
        this.chore = Chore.every(Math.max(LEAST_PERIOD_NANOS, life.toNanos() / SWEEPS_PER_LIFE), scheduler, this::run);
    }

    /**
     * Starts sweeping, every tenth of a checkpoint's life but at most every minute, after an initial delay of the same.
     */
    @Override
    public void start() {
        if (!life.isZero()) {
            chore.start();
        }
    }

    @Override
    public void close() {
        chore.close();
    }

    /** Checks every user's trash once; completes when done. Failures are left to the next run. */
    public CompletionStage<Void> run() {
        return each(
                        Checkpoints.USERS,
                        user -> user.isDirectory()
                                ? new Trash(Checkpoints.trashOf(user.name())).sweep()
                                : CompletableFuture.completedFuture(null))
                .exceptionally(error -> null);
    }

    /** Visits the entries of a directory sequentially, page by page; none if it cannot be listed. */
    private CompletionStage<Void> each(FsPath directory, Function<Attributes, CompletionStage<Void>> step) {
        Deque<Attributes> page = new ArrayDeque<>();
        String[] last = {""};
        boolean[] more = {true};
        return Loop.whileTrue(() -> {
            if (chore.isClosed() || epoch.getAsLong() == 0) {
                return CompletableFuture.completedFuture(false);
            }
            Attributes next = page.poll();
            if (next != null) {
                last[0] = next.name();
                return step.apply(next).handle((done, error) -> true);
            }
            if (!more[0]) {
                return CompletableFuture.completedFuture(false);
            }
            return perform.apply(new ReadOperation.ListPage(directory, last[0], PAGE))
                    .thenApply(reply -> {
                        more[0] = reply instanceof Reply.Page found && found.more();
                        if (reply instanceof Reply.Page found) {
                            page.addAll(found.entries());
                        }
                        return !page.isEmpty();
                    });
        });
    }

    private Instant now() {
        return Instant.ofEpochMilli(scheduler.currentTimeMillis());
    }

    /** One user's trash during a sweep. */
    private final class Trash {
        private final FsPath root;
        private boolean hasCurrent;
        private Instant newest = Instant.MIN;

        Trash(FsPath root) {
            this.root = root;
        }

        CompletionStage<Void> sweep() {
            return each(root, this::look).thenCompose(done -> hasCurrent ? checkpoint() : nothing());
        }

        private CompletionStage<Void> look(Attributes entry) {
            if (entry.name().equals(Checkpoints.CURRENT)) {
                hasCurrent = entry.isDirectory();
                return nothing();
            }
            Instant made = Checkpoints.made(entry.name(), zone).orElse(null);
            if (made == null) {
                return nothing();
            }
            if (made.plus(life).isAfter(now())) {
                newest = made.isAfter(newest) ? made : newest;
                return nothing();
            }
            return done(new NamespaceOperation.Delete(root.child(entry.name()), true));
        }

        /**
         * Makes a checkpoint, at most one per checkpoint life: nothing is deleted early, and nothing stays longer than
         * two lives.
         */
        private CompletionStage<Void> checkpoint() {
            Instant now = now();
            return newest.isAfter(now.minus(life))
                    ? nothing()
                    : done(new NamespaceOperation.Rename(
                            root.child(Checkpoints.CURRENT),
                            root.child(Checkpoints.name(now, zone)),
                            Operation.RenameMode.STRICT));
        }

        private CompletionStage<Void> done(Operation<?> operation) {
            return perform.apply(operation).thenApply(reply -> null);
        }

        private CompletionStage<Void> nothing() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
