package io.lambdafs.hammer.tree;

import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.concurrent.CompletionStage;

/**
 * The file system under test. A client whose {@code execute} has this shape is a target: {@code client::execute}.
 * Retries and time limits of operations are the target's responsibility. Must be thread-safe.
 */
@FunctionalInterface
public interface Target extends AutoCloseable {
    /**
     * Starts an operation.
     *
     * @return completes with the reply, or exceptionally with an {@link io.lambdafs.model.FsException}
     */
    <R extends Reply> CompletionStage<R> execute(Operation<R> operation);

    /** Releases the target's resources; does nothing by default. */
    @Override
    default void close() {}
}
