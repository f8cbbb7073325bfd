package io.lambdafs.functions.namenode;

import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.coherence.Coherence;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Reply;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A write, step by step (PROTOCOL: a write; the paper's algorithm 1): lock, look the request up, decide, invalidate, commit, publish.
 * Two messages to the store, and a round of invalidations between them where another instance may hold what changes. Thread-safe.
 */
public final class Writes {
    /** Between two looks for the end of a commit whose answer was lost. */
    private static final long SETTLE_PAUSE_NANOS = 50_000_000;

    private final MetadataStore store;
    private final PathTrie trie;
    private final Coherence coherence;
    private final InstanceSession session;
    private final Scheduler scheduler;
    private final long slotLifeMillis;

    Writes(NameNodeParts parts, Coherence coherence, InstanceSession session) {
        this.store = parts.store();
        this.trie = parts.trie();
        this.scheduler = parts.scheduler();
        this.slotLifeMillis = parts.settings().times().slotLife().toMillis();
        this.coherence = coherence;
        this.session = session;
    }

    /** Runs a write to its reply; fails with {@link Restart} where the resolution no longer stands. */
    public CompletionStage<Reply> run(Call call, WritePlan plan) {
        return new Run(call, plan).lock();
    }

    /** Records and answers a refusal that was found before any lock, unless the request has been answered already. */
    public CompletionStage<Reply> refuse(Call call, FsException refusal) {
        if (refusal.code().disposition() != Disposition.FINAL) {
            return CompletableFuture.failedFuture(refusal);
        }
        return run(call, new Answer(Reply.Failure.of(refusal)));
    }

    /** Records and answers what was decided without any lock, unless the request has been answered already. */
    CompletionStage<Reply> answer(Call call, Reply reply) {
        return run(call, new Answer(reply));
    }

    private record Answer(Reply reply) implements WritePlan {
        @Override
        public List<Read> locks() {
            return List.of();
        }

        @Override
        public Outcome decide(LockedRows rows) {
            return Outcome.unchanged(reply);
        }
    }

    /** One write under way; its methods follow one another. */
    private final class Run {
        private final Call call;
        private final WritePlan plan;
        private final StoreTransaction transaction;
        private @Nullable Ticket ticket;

        Run(Call call, WritePlan plan) {
            this.call = call;
            this.plan = plan;
            this.transaction = store.begin(call.epoch(), call.id().client());
        }

        CompletionStage<Reply> lock() {
            List<Read> reads = new ArrayList<>(plan.locks());
            reads.add(Read.shared(Rows.instanceKey(call.epoch())));
            reads.add(Read.exclusive(Slots.key(call.id())));
            return transaction
                    .read(reads, 0)
                    .thenCompose(rows -> locked(new LockedRows(reads, rows)))
                    .whenComplete((reply, error) -> ended(error));
        }

        private CompletionStage<Reply> locked(LockedRows rows) {
            if (rows.row(Rows.instanceKey(call.epoch())) == null) {
                throw new FsException(ErrorCode.FENCED, "the instance's epoch " + call.epoch() + " is over");
            }
            Reply before = Slots.answered(call.id(), rows.row(Slots.key(call.id())));
            if (before != null) {
                return CompletableFuture.completedFuture(before);
            }
            Outcome outcome = decide(rows);
            return invalidate(outcome)
                    .thenCompose(done -> commit(outcome).handle((committed, error) -> error))
                    .thenCompose(error -> error == null
                            ? CompletableFuture.completedFuture(publish(outcome))
                            : FsException.of(error).code() == ErrorCode.CONNECTION_LOST
                                    ? settle(error)
                                    : CompletableFuture.failedFuture(error));
        }

        private Outcome decide(LockedRows rows) {
            try {
                return plan.decide(rows);
            } catch (FsException refusal) {
                if (refusal.code().disposition() != Disposition.FINAL) {
                    throw refusal;
                }
                return Outcome.unchanged(Reply.Failure.of(refusal));
            }
        }

        private CompletionStage<Void> invalidate(Outcome outcome) {
            if (outcome.entries().isEmpty() && outcome.listings().isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            trie.invalidate(outcome.entries(), outcome.listings(), List.of());
            ticket = call.ticket(trie);
            return coherence.round(call.epoch(), outcome.entries(), outcome.listings());
        }

        private CompletionStage<Void> commit(Outcome outcome) {
            List<Mutation> mutations = new ArrayList<>(outcome.mutations());
            mutations.addAll(Slots.record(call.id(), outcome.reply(), scheduler.currentTimeMillis() + slotLifeMillis));
            return transaction.commit(mutations, call.deadlineMillis());
        }

        /**
         * A commit whose answer was lost may happen yet, and until it is over this operation is under way: whoever moves or removes a
         * directory above waits for it. It holds the slot's lock; who gets that lock knows how it ended. After the epoch, its fence has
         * ended it.
         */
        private CompletionStage<Reply> settle(Throwable lost) {
            StoreTransaction look = store.begin(call.epoch(), call.id().client());
            return look.read(List.of(Read.exclusive(Slots.key(call.id()))), 0)
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
            CompletableFuture<Void> waited = new CompletableFuture<>();
            scheduler.schedule(SETTLE_PAUSE_NANOS, () -> waited.complete(null));
            return waited.thenCompose(done -> settle(lost));
        }

        private Reply publish(Outcome outcome) {
            if (ticket != null && !outcome.fills().isEmpty()) {
                trie.publish(ticket, outcome.fills());
            }
            return outcome.reply();
        }

        private void ended(@Nullable Throwable error) {
            transaction.abort();
            if (error != null && FsException.of(error).code() == ErrorCode.FENCED) {
                session.fencedByStore(call.epoch());
            }
        }
    }
}
