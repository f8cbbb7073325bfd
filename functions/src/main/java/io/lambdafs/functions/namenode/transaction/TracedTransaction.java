package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.rpc.tracing.Traced;
import io.lambdafs.rpc.tracing.Tracing;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that records a trace span per message, from sending to answer.
 *
 * @param trace parent of the spans
 */
record TracedTransaction(StoreTransaction inner, TraceParent trace) implements StoreTransaction {
    private <T> CompletionStage<T> traced(String name, Supplier<CompletionStage<T>> message) {
        Traced span = Tracing.process().below(trace, Tracing.Part.STORE, name);
        CompletionStage<T> answer = message.get();
        return span == null
                ? answer
                : answer.whenComplete((given, failure) -> span.end(failure == null ? null : failure.toString()));
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
        return traced("read", () -> inner.read(reads, lockWaitNanos));
    }

    @Override
    public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
        return traced("read", () -> inner.readAndEnd(reads, lockWaitNanos));
    }

    @Override
    public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
        return traced("commit", () -> inner.commitIf(guarded));
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        return traced("scan", () -> inner.scan(scan));
    }

    @Override
    public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
        return traced("commit", () -> inner.commit(mutations, deadlineMillis));
    }

    @Override
    public void abort() {
        inner.abort();
    }
}
