package io.lambdafs.functions.namenode;

import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.coherence.Coherence;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Detour;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.functions.namenode.transaction.TotalsDeltas;
import io.lambdafs.functions.namenode.transaction.VersionCopies;
import io.lambdafs.functions.namenode.transaction.WritePlan;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scope;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.Change;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.FormatLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs writes (PROTOCOL: W1, W3, W4, W5, W6, W7, C1, V2; the paper's algorithm 1): lock, look the request up in its slot,
 * decide, invalidate, commit, publish. This takes two messages to the store, with an invalidation round in between if
 * other instances may cache what changes. If none does and the rows are as expected, it takes one message. Thread-safe.
 */
public final class Writes {
    /** Pause between checks for the outcome of a commit whose answer was lost. */
    private static final long SETTLE_PAUSE_NANOS = 50_000_000;

    private final MetadataStore store;
    private final PathTrie trie;
    private final Coherence coherence;
    private final InstanceSession session;
    private final Scheduler scheduler;
    private final long slotLifeMillis;
    private final boolean logsChanges;
    /** The row with the store's format level as last seen by a write, at first as presumed. */
    private volatile @Nullable Row level = FormatLevel.NEWEST.row();

    public Writes(NameNodeContext context, Coherence coherence, InstanceSession session) {
        this.store = context.store();
        this.trie = context.trie();
        this.scheduler = context.scheduler();
        this.slotLifeMillis = context.settings().times().slotLife().toMillis();
        this.logsChanges = context.settings().changeLogEntries() > 0;
        this.coherence = coherence;
        this.session = session;
    }

    /** Runs a write to its reply; fails with {@link Restart} if the resolution is no longer valid. */
    public CompletionStage<Reply> run(Call call, WritePlan plan) {
        Run run = new Run(call, plan);
        return run.limits.isEmpty() ? run.begin() : runAgain(run.begin(), call, plan);
    }

    /**
     * Decides again what a quota did not admit at its commit: under the locks, where either the quota's totals show that and
     * the refusal is recorded, or there is room now (PROTOCOL: Q2).
     */
    private CompletionStage<Reply> runAgain(CompletionStage<Reply> run, Call call, WritePlan plan) {
        return run.exceptionallyCompose(error -> FsException.of(error).code() == ErrorCode.OVER_QUOTA
                ? runAgain(new Run(call, plan).lock(), call, plan)
                : CompletableFuture.failedFuture(error));
    }

    /** Records and returns a refusal found before locking, unless the request was already answered. */
    public CompletionStage<Reply> refuse(Call call, FsException refusal) {
        if (refusal.code().disposition() != Disposition.FINAL) {
            return CompletableFuture.failedFuture(refusal);
        }
        return run(call, new Answer(Reply.Failure.of(refusal)));
    }

    /** Records and returns a reply decided without locks, unless the request was already answered. */
    public CompletionStage<Reply> answer(Call call, Reply reply) {
        return run(call, new Answer(reply));
    }

    private record Answer(Reply reply) implements WritePlan {
        @Override
        public List<Read> locks() {
            return List.of();
        }

        @Override
        public Optional<List<@Nullable Row>> expected() {
            return Optional.of(List.of());
        }

        @Override
        public Outcome decide(LockedRows rows) {
            return Outcome.unchanged(reply);
        }
    }

    /** One write in progress; its methods run in sequence. */
    private final class Run {
        private final Call call;
        private final WritePlan plan;
        private final StoreTransaction transaction;
        private final List<Read> locks;
        private final Key slot;
        /**
         * The plan's locks, then those of the epoch, the format level (if it matters), {@link SafeMode} (if the plan
         * obeys it) and {@link Slots#locks}, the limits, and the copies.
         */
        private final List<Read> reads;

        /** The reads of quotas that the change may come to, by what the resolution knows. */
        private final Set<Read> limits;

        private final VersionCopies.Eras eras;
        /** The reads that tell what snapshots see and has to be copied. */
        private final Set<Read> copies;
        /** True if the change adds to totals, or is logged, from some format level on. */
        private final boolean needsLevel;
        /** The format level that this write expects or has found under its lock. */
        private @Nullable Row levelHere = level;

        Run(Call call, WritePlan plan) {
            this.call = call;
            this.plan = plan;
            this.transaction = call.begin(store);
            this.locks = plan.locks();
            this.slot = Slots.key(call.id());
            this.needsLevel = logsChanges || !plan.chains().isEmpty();
            this.reads = new ArrayList<>(locks);
            reads.add(Read.shared(Rows.instanceKey(call.epoch())));
            if (needsLevel) {
                reads.add(Read.shared(FormatLevel.KEY));
            }
            if (plan.obeysSafeMode()) {
                reads.add(Read.shared(SafeMode.KEY));
            }
            reads.addAll(Slots.locks(call.id()));
            this.limits = TotalsDeltas.limits(plan.chains());
            reads.addAll(limits);
            this.eras = new VersionCopies.Eras(plan.chains());
            this.copies = eras.reads();
            reads.addAll(copies);
        }

        /** Begins under the locks, without a guess. */
        CompletionStage<Reply> lock() {
            return transaction.read(reads, 0).thenCompose(this::locked).whenComplete((done, error) -> ended(error));
        }

        CompletionStage<Reply> begin() {
            Optional<List<@Nullable Row>> expected = plan.expected();
            Outcome speculative = expected.isPresent() ? speculate(expected.get()) : null;
            InFlight.Handle unshared = speculative == null
                    ? null
                    : coherence.beginUnshared(call.epoch(), speculative.change().scope());
            CompletionStage<Reply> reply = speculative == null || unshared == null
                    ? transaction.read(reads, 0).thenCompose(this::locked)
                    : commitOptimistically(expected.get(), speculative, unshared);
            return reply.whenComplete((done, error) -> ended(error));
        }

        /** Decides speculatively for the expected rows; returns null if the decision must be made under the locks. */
        private @Nullable Outcome speculate(List<@Nullable Row> expected) {
            try {
                return decide(new LockedRows(locks, expected, scheduler.currentTimeMillis()), true);
            } catch (FsException | Detour unexpected) {
                return null;
            }
        }

        /**
         * Locks, looks up and commits in one message. The store chooses the moment of the commit, so nothing may be
         * filled from before the message is sent until its outcome is known.
         */
        private CompletionStage<Reply> commitOptimistically(
                List<@Nullable Row> expected, Outcome speculative, InFlight.Handle unshared) {
            GuardedCommit commit = new GuardedCommit(
                    reads, guards(expected), mutations(speculative, Slots.isFirst(call.id())), call.deadlineMillis());
            Ticket held = hold(speculative);
            return transaction
                    .commitIf(commit)
                    .handle((rows, error) -> {
                        if (error == null && rows.isPresent()) {
                            release(speculative, held, false);
                            unshared.end();
                            return locked(rows.get());
                        }
                        return committed(speculative, held, error).whenComplete((reply, failure) -> unshared.end());
                    })
                    .thenCompose(reply -> reply);
        }

        private List<Guard> guards(List<@Nullable Row> expected) {
            List<Guard> guards = new ArrayList<>(reads.size());
            for (Row row : expected) {
                guards.add(row == null ? new Guard.Absent() : new Guard.Same(row));
            }
            guards.add(new Guard.Present());
            if (needsLevel) {
                guards.add(levelHere == null ? new Guard.Absent() : new Guard.Same(levelHere));
            }
            if (plan.obeysSafeMode()) {
                guards.add(new Guard.Absent());
            }
            guards.addAll(Slots.guards(call.id()));
            limits.forEach(limit -> guards.add(new Guard.Any()));
            copies.forEach(copy -> guards.add(
                    copy.key().table().equals(Schema.DIRECTORY_VERSIONS) ? new Guard.Present() : new Guard.Any()));
            return guards;
        }

        private CompletionStage<Reply> locked(List<@Nullable Row> found) {
            LockedRows rows = new LockedRows(reads, found, scheduler.currentTimeMillis());
            if (needsLevel) {
                levelHere = rows.row(FormatLevel.KEY);
                level = levelHere;
            }
            if (rows.row(Rows.instanceKey(call.epoch())) == null) {
                throw new FsException(ErrorCode.FENCED, "the instance's epoch " + call.epoch() + " is over");
            }
            Reply before = Slots.answered(call.id(), rows.row(slot));
            if (before != null) {
                return CompletableFuture.completedFuture(before);
            }
            return rows.row(slot) == null ? lockNote(rows) : decided(rows, false);
        }

        /**
         * Creates the slot. If it was expected to exist, its session may have been swept, and the note must still be
         * locked.
         */
        private CompletionStage<Reply> lockNote(LockedRows rows) {
            return Slots.isFirst(call.id())
                    ? decided(rows, true)
                    : transaction.read(List.of(Slots.note(call.id())), 0).thenCompose(note -> decided(rows, true));
        }

        private CompletionStage<Reply> decided(LockedRows rows, boolean makesSlot) {
            Outcome outcome = decide(rows);
            Ticket held = hold(outcome);
            return CompletableFuture.completedFuture(outcome)
                    .thenCompose(this::round)
                    .thenCompose(done -> commit(outcome, makesSlot))
                    .handle((done, error) -> committed(outcome, held, error))
                    .thenCompose(reply -> reply);
        }

        private Outcome decide(LockedRows rows) {
            return decide(rows, false);
        }

        /** @param presumed whether the rows are those that are expected */
        private Outcome decide(LockedRows rows, boolean presumed) {
            try {
                return withCopies(rows, withTotals(rows, SafeMode.checked(rows, plan.decide(rows))), presumed);
            } catch (IsDirectory directory) {
                if (SafeMode.isOn(rows)) {
                    return Outcome.unchanged(Reply.Failure.of(SafeMode.refusal()));
                }
                throw directory;
            } catch (FsException refusal) {
                if (refusal.code().disposition() != Disposition.FINAL) {
                    throw refusal;
                }
                return plan.refused(refusal);
            }
        }

        private Outcome withTotals(LockedRows rows, Outcome outcome) {
            return needsLevel && FormatLevel.of(levelHere).has(FormatLevel.TOTALS)
                    ? outcome.withMutations(TotalsDeltas.of(plan.chains(), rows, outcome.mutations()))
                    : outcome;
        }

        private Outcome withCopies(LockedRows rows, Outcome outcome, boolean presumed) {
            return needsLevel && FormatLevel.of(levelHere).has(FormatLevel.SNAPSHOTS)
                    ? VersionCopies.of(eras, rows, outcome, presumed)
                    : outcome;
        }

        /** Invalidates the change in the local cache and blocks fills until the outcome of the commit is known. */
        private Ticket hold(Outcome outcome) {
            return call.hold(trie, outcome.change().scope());
        }

        private CompletionStage<Void> round(Outcome outcome) {
            Scope scope = outcome.change().scope();
            return scope.isEmpty() ? CompletableFuture.completedFuture(null) : coherence.round(call.epoch(), scope);
        }

        private CompletionStage<Void> commit(Outcome outcome, boolean makesSlot) {
            return transaction.commit(mutations(outcome, makesSlot), call.deadlineMillis());
        }

        private List<Mutation> mutations(Outcome outcome, boolean makesSlot) {
            List<Mutation> mutations = new ArrayList<>(outcome.mutations());
            long nowMillis = scheduler.currentTimeMillis();
            mutations.addAll(Slots.record(call.id(), outcome.reply(), nowMillis + slotLifeMillis, makesSlot));
            if (logsChanges && FormatLevel.of(levelHere).has(FormatLevel.CHANGES)) {
                Change.Origin origin = new Change.Origin(call.caller().user(), nowMillis, call.id());
                outcome.events().forEach(event -> mutations.add(new Mutation.Append(new Change(event, origin).row())));
            }
            return mutations;
        }

        /** Publishes a committed change; otherwise, or if unknown, only permits fills again. */
        private CompletionStage<Reply> committed(Outcome outcome, Ticket held, @Nullable Throwable error) {
            if (error == null) {
                release(outcome, held, true);
                return CompletableFuture.completedFuture(outcome.reply());
            }
            return settleIfLost(error).whenComplete((reply, failure) -> release(outcome, held, false));
        }

        private void release(Outcome outcome, Ticket held, boolean done) {
            trie.release(outcome.change(), held, done);
        }

        private CompletionStage<Reply> settleIfLost(Throwable error) {
            return FsException.of(error).code() == ErrorCode.CONNECTION_LOST
                    ? settle(error)
                    : CompletableFuture.failedFuture(error);
        }

        /**
         * Settles a commit whose answer was lost. It may still happen, so until then this operation stays in flight,
         * and an operation that moves or removes an ancestor waits for it. The commit holds the slot's lock, so
         * acquiring that lock reveals the outcome. Once the epoch is over, its fence has ended the commit.
         */
        private CompletionStage<Reply> settle(Throwable lost) {
            StoreTransaction look = call.begin(store);
            return look.read(List.of(Read.exclusive(slot)), 0)
                    .whenComplete((rows, error) -> look.abort())
                    .handle((rows, error) -> error == null
                            ? settled(Slots.answered(call.id(), rows.get(0)), lost)
                            : session.isLive(call.epoch()) ? settleLater(lost) : unsettled(lost))
                    .thenCompose(reply -> reply);
        }

        private CompletionStage<Reply> settled(@Nullable Reply answer, Throwable lost) {
            return answer == null ? unsettled(lost) : CompletableFuture.completedFuture(answer);
        }

        private CompletionStage<Reply> unsettled(Throwable lost) {
            return CompletableFuture.failedFuture(lost);
        }

        private CompletionStage<Reply> settleLater(Throwable lost) {
            return Stages.delay(scheduler, SETTLE_PAUSE_NANOS).thenCompose(done -> settle(lost));
        }

        private void ended(@Nullable Throwable error) {
            transaction.abort();
            if (error != null && FsException.of(error).code() == ErrorCode.FENCED) {
                session.fencedByStore(call.epoch());
            }
        }
    }
}
