package io.lambdafs.functions.subtree;

import io.lambdafs.functions.coherence.Coherence;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.SafeMode;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.functions.namenode.transaction.WritePlan;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs subtree operations (PROTOCOL: S1, S2, S3, S4): mark the root; invalidate the prefix at every instance and drain
 * the operations below; then move, detach or change the root by an ordinary write that removes the mark. The cost does
 * not depend on the size of the subtree. Thread-safe.
 */
public final class SubtreeOperations {
    private static final long FIRST_WAIT_NANOS = 1_000_000L;
    private static final long LONGEST_WAIT_NANOS = 50_000_000L;

    private final OperationContext context;
    private final MetadataStore store;
    private final SubtreeTable table;
    private final Coherence coherence;
    private final Scheduler scheduler;
    private final LongSupplier epoch;

    /** @param epoch this instance's current epoch, 0 for none */
    public SubtreeOperations(OperationContext context, MetadataStore store, Coherence coherence, LongSupplier epoch) {
        this.context = context;
        this.store = store;
        this.table = new SubtreeTable(store, context.scheduler(), epoch);
        this.coherence = coherence;
        this.scheduler = context.scheduler();
        this.epoch = epoch;
    }

    public CompletionStage<Reply> rename(Call call, NamespaceOperation.Rename operation) {
        return new Run(call, new DirectoryRename(context, call, operation)).resolve();
    }

    public CompletionStage<Reply> delete(Call call, NamespaceOperation.Delete operation) {
        return new Run(call, new DirectoryDelete(context, call, operation, store)).resolve();
    }

    /** Changes an attribute of a directory. */
    public CompletionStage<Reply> change(Call call, AttributeOperation operation) {
        return new Run(call, new DirectoryChange(context, call, operation)).resolve();
    }

    /** One subtree operation in progress; its methods run in sequence. */
    private final class Run implements WritePlan {
        private final Call call;
        private final Subtree subtree;
        private Subtree.@Nullable Held held;

        Run(Call call, Subtree subtree) {
            this.call = call;
            this.subtree = subtree;
        }

        CompletionStage<Reply> resolve() {
            return subtree.resolve()
                    .handle((marks, error) -> error == null ? mark(marks) : refuse(error))
                    .thenCompose(reply -> reply);
        }

        private CompletionStage<Reply> refuse(Throwable error) {
            Throwable cause = FsException.unwrap(error);
            return cause instanceof FsException refusal && refusal.code().disposition() == Disposition.FINAL
                    ? context.writes().answer(call, subtree.answer(refusal))
                    : CompletableFuture.failedFuture(cause);
        }

        private CompletionStage<Reply> mark(List<Mark> marks) {
            return table.number()
                    .thenCompose(operation -> table.enter(call, subtree, marks, operation)
                            .whenComplete((entered, error) -> {
                                if (error != null && FsException.of(error).code() == ErrorCode.CONNECTION_LOST) {
                                    // The marks may nevertheless be set, under an epoch that is still live.
                                    clear(operation, FIRST_WAIT_NANOS);
                                }
                            })
                            .thenCompose(this::entered));
        }

        private CompletionStage<Reply> entered(SubtreeTable.Entered entered) {
            if (entered.reply() != null) {
                return context.writes().answer(call, entered.reply());
            }
            // The table now protects the resolution; if still counted as in flight, the drain below would wait for
            // itself.
            call.leaveInFlight();
            held = entered.held();
            return drain().handle(this::ended).thenCompose(reply -> reply);
        }

        private Subtree.Held held() {
            Subtree.Held now = held;
            if (now == null) {
                throw new IllegalStateException("nothing is marked");
            }
            return now;
        }

        private CompletionStage<Reply> drain() {
            return coherence
                    .prefixRound(call.epoch(), held().paths())
                    .thenCompose(done -> subtree.inspect(held()))
                    .thenCompose(done -> context.writes().run(call, this))
                    .exceptionallyCompose(this::refuseUnderMark);
        }

        /** Records a refusal found while inspecting, in the transaction that removes the marks. */
        private CompletionStage<Reply> refuseUnderMark(Throwable error) {
            Throwable cause = FsException.unwrap(error);
            if (cause instanceof FsException refusal && refusal.code().disposition() == Disposition.FINAL) {
                return context.writes().run(call, new Refusal(refusal));
            }
            return CompletableFuture.failedFuture(cause);
        }

        private CompletionStage<Reply> ended(@Nullable Reply reply, @Nullable Throwable error) {
            if (error == null && reply != null) {
                return CompletableFuture.completedFuture(reply);
            }
            clear(held().operation(), FIRST_WAIT_NANOS);
            return CompletableFuture.failedFuture(error == null ? new IllegalStateException("no reply") : error);
        }

        /** Removes remaining marks, retrying until they are gone or the epoch is over, after which others do it. */
        private void clear(long operation, long waitNanos) {
            Stages.call(() -> table.clear(operation, call.epoch())).whenComplete((done, error) -> {
                if (error != null && epoch.getAsLong() == call.epoch()) {
                    Scheduler.Essential again = () -> clear(operation, Math.min(LONGEST_WAIT_NANOS, waitNanos * 2));
                    scheduler.schedule(waitNanos, again);
                }
            });
        }

        @Override
        public List<Read> locks() {
            return withMarks(subtree.locks(held()));
        }

        @Override
        public List<Chain> chains() {
            return subtree.chains();
        }

        private List<Read> withMarks(List<Read> more) {
            List<Read> reads = new ArrayList<>(more);
            held().paths().forEach(path -> reads.add(Read.exclusive(SubtreeTable.key(path))));
            held().marked().values().forEach(node -> {
                Read mark = Read.exclusive(Rows.inodeKey(node.parentId(), node.name()));
                if (!reads.contains(mark)) {
                    reads.add(mark);
                }
            });
            return reads;
        }

        @Override
        public Outcome decide(LockedRows rows) {
            verifyMarks(rows);
            try {
                Outcome outcome = SafeMode.checked(rows, subtree.decide(held(), rows));
                boolean unchanged = outcome.mutations().isEmpty();
                return outcome.withMutations(SubtreeTable.unmark(held(), unchanged));
            } catch (FsException refusal) {
                if (refusal.code().disposition() != Disposition.FINAL) {
                    throw refusal;
                }
                return refused(refusal);
            }
        }

        private void verifyMarks(LockedRows rows) {
            for (INode node : held().marked().values()) {
                INode now = rows.inode(node.parentId(), node.name());
                if (now == null || now.id() != node.id() || !now.isMarkedBy(held().operation())) {
                    throw Restart.changed("the mark on \"" + node.name() + "\"");
                }
            }
        }

        @Override
        public Outcome refused(FsException refusal) {
            return Outcome.unchanged(subtree.answer(refusal)).withMutations(SubtreeTable.unmark(held(), true));
        }

        private final class Refusal implements WritePlan {
            private final FsException refusal;

            Refusal(FsException refusal) {
                this.refusal = refusal;
            }

            @Override
            public List<Read> locks() {
                return withMarks(List.of());
            }

            @Override
            public Outcome decide(LockedRows rows) {
                verifyMarks(rows);
                return refused(refusal);
            }

            @Override
            public Outcome refused(FsException why) {
                return Run.this.refused(why);
            }
        }
    }

    /**
     * Waits until the operation that holds an INode has ended, and ends it if its epoch is dead.
     *
     * @param until whether time has run out
     */
    public CompletionStage<Void> awaitUnmarked(INode marked, BooleanSupplier until) {
        INode.SubtreeMark mark = marked.mark();
        return mark == null
                ? CompletableFuture.completedFuture(null)
                : await(marked.name(), mark, until, FIRST_WAIT_NANOS);
    }

    private CompletionStage<Void> await(String name, INode.SubtreeMark mark, BooleanSupplier until, long waitNanos) {
        return table.state(mark).thenCompose(state -> switch (state) {
            case OVER -> CompletableFuture.completedFuture(null);
            case ABANDONED -> table.clear(mark.operation(), epoch.getAsLong());
            case ACTIVE -> {
                if (until.getAsBoolean()) {
                    yield CompletableFuture.failedFuture(new FsException(
                            ErrorCode.SUBTREE_BUSY, "a subtree operation holds \"" + name + "\": try again"));
                }
                // A holder that hangs but keeps its membership would keep its mark forever.
                yield Stages.delay(scheduler, waitNanos)
                        .thenCompose(done -> waitNanos < LONGEST_WAIT_NANOS
                                ? CompletableFuture.completedFuture(null)
                                : coherence.probe(mark.epoch()))
                        .thenCompose(done -> await(name, mark, until, Math.min(LONGEST_WAIT_NANOS, waitNanos * 2)));
            }
        });
    }
}
