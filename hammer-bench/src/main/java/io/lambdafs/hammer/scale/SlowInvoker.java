package io.lambdafs.hammer.scale;

import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.simulation.SimulatedProcess;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** HTTP calls of a client, which take its processors' time. Not thread-safe. */
record SlowInvoker(Invoker calls, Processors processors, ScaleSettings.Service service, SimulatedProcess process)
        implements Invoker {
    @Override
    public boolean hasReached() {
        return calls.hasReached();
    }

    @Override
    public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        CompletableFuture<Optional<OperationReply>> answered = new CompletableFuture<>();
        processors.work(
                service.httpClientNanos(),
                () -> process.message(() -> calls.invoke(invocation).whenComplete((reply, failure) -> {
                    if (failure == null) {
                        answered.complete(reply);
                    } else {
                        answered.completeExceptionally(failure);
                    }
                })));
        return answered;
    }
}
