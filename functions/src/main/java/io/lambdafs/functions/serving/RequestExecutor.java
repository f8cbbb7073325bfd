package io.lambdafs.functions.serving;

import io.lambdafs.model.Principal;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import java.util.function.Consumer;

/**
 * What a function entry hands its requests to: the NameNode. Called on event loops, so it never blocks; what the cache answers is
 * answered before {@link #execute} returns. Thread-safe.
 */
@FunctionalInterface
public interface RequestExecutor {
    /**
     * Executes one operation.
     *
     * @param caller proven by a token; the request's own principal handle does not count here
     * @param reply takes the reply, once, from any thread; failures are replies too
     */
    void execute(Principal caller, OperationRequest request, Consumer<OperationReply> reply);
}
