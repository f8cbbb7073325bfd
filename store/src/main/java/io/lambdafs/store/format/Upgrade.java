package io.lambdafs.store.format;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Raises a store's {@link FormatLevel} to this build's newest while instances serve. Affected rows are rewritten first,
 * in steps ({@link Migration}); then one transaction raises the level, under a lock that every instance also takes to
 * join or to rely on the level. At all times, even after a crash, the store has exactly one of the two levels.
 * Stateless.
 */
public final class Upgrade {
    private static final int PAGE = 1_000;

    private Upgrade() {}

    /** An epoch whose instance's build cannot read the target level. */
    public record Earlier(long epoch, long deployment, String instance, long level) {}

    /**
     * The plan for raising the level.
     *
     * @param to equal to {@code from} if there is nothing to do
     * @param instances number of epochs
     * @param earlier epochs that prevent raising the level
     */
    public record Plan(FormatLevel from, FormatLevel to, int instances, List<Earlier> earlier) {
        public Plan {
            earlier = List.copyOf(earlier);
        }

        public boolean isDone() {
            return from == to;
        }
    }

    /**
     * Returns what {@link #raise} would do, without changes; fails {@code UNSUPPORTED} if the store has a newer level.
     */
    public static CompletionStage<Plan> plan(MetadataStore store) {
        return new Run(store)
                .run(Read.shared(FormatLevel.KEY), (plan, transaction) -> CompletableFuture.completedFuture(List.of()));
    }

    /**
     * Raises the level, unless it is already this build's newest; then mends the totals of directories. May be
     * repeated, and then resumes where it was interrupted.
     *
     * @return what it did; fails {@code NOT_ALLOWED} if instances of an earlier build are live, {@code UNSUPPORTED} if
     *     the store has a newer level, {@code INVALID_ARGUMENT} if it is not formatted
     */
    public static CompletionStage<Plan> raise(MetadataStore store) {
        return raise(store, FormatLevel::migration)
                .thenCompose(plan -> TotalsRepair.run(store).thenApply(done -> plan));
    }

    /** Raises the level with migrations of the caller's choice. */
    public static CompletionStage<Plan> raise(MetadataStore store, Function<FormatLevel, Migration> migrations) {
        Raising raising = new Raising(store, migrations);
        return Loop.whileTrue(raising::step).thenApply(raised -> raising.plan());
    }

    private static FsException refusal(Plan plan) {
        Earlier first = plan.earlier().get(0);
        return new FsException(
                ErrorCode.NOT_ALLOWED,
                "cannot raise the store from format level " + plan.from().number() + " to "
                        + plan.to().number() + ": "
                        + plan.earlier().size() + " of " + plan.instances()
                        + " instances are of a build that does not read it, such as " + first.instance()
                        + " of deployment " + first.deployment() + ", which reads up to " + first.level()
                        + ": replace them (stop and start the cluster with this build), then try again");
    }

    /** Decides the changes to commit in the transaction that made the plan. */
    private interface Changes {
        CompletionStage<List<Mutation>> of(Plan plan, StoreTransaction transaction);
    }

    /** Runs the transactions in sequence: the migrations' steps, then the one that raises the level. */
    private static final class Raising {
        private final MetadataStore store;
        private final Function<FormatLevel, Migration> migrations;
        private volatile @Nullable Plan plan;
        private volatile boolean migrated;

        Raising(MetadataStore store, Function<FormatLevel, Migration> migrations) {
            this.store = store;
            this.migrations = migrations;
        }

        /** Runs one transaction; completes with whether another follows. */
        CompletionStage<Boolean> step() {
            migrated = false;
            return new Run(store)
                    .run(Read.exclusive(FormatLevel.KEY), this::changes)
                    .thenApply(made -> {
                        plan = made;
                        return migrated;
                    });
        }

        Plan plan() {
            return Objects.requireNonNull(plan);
        }

        private CompletionStage<List<Mutation>> changes(Plan made, StoreTransaction transaction) {
            if (!made.earlier().isEmpty()) {
                throw refusal(made);
            }
            if (made.isDone()) {
                return CompletableFuture.completedFuture(List.of());
            }
            List<FormatLevel> levels = Arrays.stream(FormatLevel.values())
                    .filter(level -> !made.from().has(level))
                    .toList();
            return next(levels, made, transaction);
        }

        /** Returns the next migration step of the first level that has one; else the change to the new level. */
        private CompletionStage<List<Mutation>> next(
                List<FormatLevel> levels, Plan made, StoreTransaction transaction) {
            if (levels.isEmpty()) {
                return CompletableFuture.completedFuture(
                        List.of(new Mutation.Put(made.to().row())));
            }
            return migrations.apply(levels.get(0)).next(transaction).thenCompose(changes -> {
                if (changes.isEmpty()) {
                    return next(levels.subList(1, levels.size()), made, transaction);
                }
                if (changes.size() > Migration.MAX_CHANGES) {
                    throw new IllegalStateException("a step of " + changes.size() + " changes");
                }
                migrated = true;
                return CompletableFuture.completedFuture(changes);
            });
        }
    }

    /** One transaction; its methods run in sequence. */
    private static final class Run {
        private final StoreTransaction transaction;
        private final List<Key> epochs = new ArrayList<>();
        private @Nullable Long last;

        Run(MetadataStore store) {
            transaction = store.begin(0);
        }

        CompletionStage<Plan> run(Read format, Changes changes) {
            return transaction
                    .read(List.of(format), 0)
                    .thenCompose(rows -> {
                        if (rows.get(0) == null) {
                            throw FsException.invalidArgument(
                                    "the store holds no file system: start the cluster, which formats an empty store");
                        }
                        FormatLevel from = FormatLevel.of(rows.get(0));
                        return Loop.whileTrue(this::nextPage)
                                .thenCompose(listed -> instances())
                                .thenApply(found -> plan(from, found));
                    })
                    .thenCompose(plan -> changes.of(plan, transaction)
                            .thenCompose(mutations -> transaction.commit(mutations, Long.MAX_VALUE))
                            .thenApply(done -> plan))
                    .whenComplete((plan, failure) -> transaction.abort());
        }

        /** Reads a page of epochs; completes with whether more may follow. */
        private CompletionStage<Boolean> nextPage() {
            return transaction.scan(new Scan(Schema.EPOCHS, 0L, last, PAGE)).thenApply(page -> {
                for (Row row : page) {
                    last = row.key().int64(1);
                    epochs.add(Rows.instanceKey(last));
                }
                return page.size() == PAGE;
            });
        }

        /**
         * Reads instances under shared locks: waits for an instance that is leaving, and none joins without the level's
         * lock.
         */
        private CompletionStage<List<Row>> instances() {
            return transaction
                    .read(epochs.stream().map(Read::shared).toList(), 0)
                    .thenApply(rows -> rows.stream().filter(Objects::nonNull).toList());
        }

        private static Plan plan(FormatLevel from, List<Row> instances) {
            List<Earlier> earlier = instances.stream()
                    .filter(row -> Rows.readsUpTo(row) < FormatLevel.NEWEST.number())
                    .map(row -> new Earlier(row.key().int64(0), row.int64(0), row.string(1), Rows.readsUpTo(row)))
                    .toList();
            return new Plan(from, FormatLevel.NEWEST, instances.size(), earlier);
        }
    }
}
