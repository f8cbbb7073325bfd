package io.lambdafs.functions;

import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Loop;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * Executes a bulk deletion: each path is locked, decided, recorded and answered like a single delete, under its own
 * request id, several concurrently. If one path can be neither removed nor refused now, the whole request fails with
 * its error; on a retry, paths already decided get the same answer. Thread-safe.
 */
final class BulkDeletion {
    /** Maximum concurrent removals: enough to fill a commit group, few enough not to starve other requests. */
    static final int AT_ONCE = 64;

    private final Call call;
    private final BulkDelete operation;
    private final Function<OperationRequest, CompletionStage<Reply>> perform;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReferenceArray<Reply> outcomes;

    private BulkDeletion(Call call, BulkDelete operation, Function<OperationRequest, CompletionStage<Reply>> perform) {
        this.call = call;
        this.operation = operation;
        this.perform = perform;
        this.outcomes = new AtomicReferenceArray<>(operation.paths().size());
    }

    /** @param perform executes one request to its reply */
    static CompletionStage<Reply> run(
            Call call, BulkDelete operation, Function<OperationRequest, CompletionStage<Reply>> perform) {
        // A directory rename waits for operations in flight below it, and each removal counts as one itself.
        call.leaveInFlight();
        return new BulkDeletion(call, operation, perform).run();
    }

    private CompletionStage<Reply> run() {
        int lanes = Math.min(AT_ONCE, operation.paths().size());
        CompletableFuture<?>[] all = new CompletableFuture<?>[lanes];
        for (int i = 0; i < lanes; i++) {
            all[i] = Loop.whileTrue(this::step).toCompletableFuture();
        }
        return CompletableFuture.allOf(all).thenApply(done -> reply());
    }

    /** Takes one step; completes with whether there may be more. */
    private CompletionStage<Boolean> step() {
        int index = next.getAndIncrement();
        if (index >= outcomes.length()) {
            return CompletableFuture.completedFuture(false);
        }
        NamespaceOperation.Delete one =
                new NamespaceOperation.Delete(operation.paths().get(index), false);
        return perform.apply(new OperationRequest(0, operation.id(index), 1, call.deadlineMillis(), one))
                .handle((reply, error) -> {
                    outcomes.set(index, error == null ? reply : Reply.Failure.of(error));
                    return true;
                });
    }

    private Reply reply() {
        List<Reply> all = new ArrayList<>(outcomes.length());
        for (int i = 0; i < outcomes.length(); i++) {
            all.add(Reply.Outcomes.settled(operation.paths().get(i), outcomes.get(i)));
        }
        return new Reply.Outcomes(all);
    }
}
