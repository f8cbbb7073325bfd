package io.lambdafs.functions.serving;

import io.lambdafs.model.inode.Principal;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.function.Consumer;

/**
 * Executes the requests of a function entry; implemented by the NameNode. Called on event loops, so it never blocks;
 * cache hits are answered before {@link #execute} returns. Thread-safe.
 */
@FunctionalInterface
public interface RequestExecutor {
    /**
     * Executes one operation.
     *
     * @param caller proven by a token; the request's own principal handle is ignored
     * @param reply receives the reply, failures included, once, on any thread
     */
    void execute(Principal caller, OperationRequest request, Consumer<OperationReply> reply);
}
