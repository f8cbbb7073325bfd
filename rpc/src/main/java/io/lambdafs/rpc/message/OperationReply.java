package io.lambdafs.rpc.message;

import io.lambdafs.model.operation.Reply;

/**
 * The answer to an {@link OperationRequest}.
 *
 * @param deployment of the instance that answered
 * @param epoch of that instance; 0 if it has none yet
 * @param cacheHit whether the answer came from the instance's cache alone
 */
public record OperationReply(int deployment, long epoch, boolean cacheHit, Reply reply) implements Message {}
