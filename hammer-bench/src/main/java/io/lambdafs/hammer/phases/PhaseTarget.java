package io.lambdafs.hammer.phases;

import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The file system under test, for threads that call and wait. Thread-safe. */
@FunctionalInterface
public interface PhaseTarget {
    /** Time limit of an operation, seconds. */
    long LONGEST_SECONDS = 120;

    /**
     * Performs an operation. An open file is read to its end.
     *
     * @return whether it changed, or found, what was intended
     * @throws FsException if it was refused, or failed
     */
    boolean call(Operation<?> operation) throws InterruptedException;

    /**
     * Returns a target that waits for the answers of an asynchronous one, at most {@value #LONGEST_SECONDS} s for each.
     */
    static PhaseTarget of(Target target) {
        return operation -> {
            Reply reply = await(target.execute(operation));
            return !(reply instanceof Reply.Done done) || done.changed();
        };
    }

    /**
     * Waits for an answer, at most {@value #LONGEST_SECONDS} s.
     *
     * @throws FsException if none arrives, or it is a failure
     */
    static <T> T await(CompletionStage<T> answer) throws InterruptedException {
        try {
            return answer.toCompletableFuture().get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (TimeoutException e) {
            throw FsException.unavailable("not answered within " + LONGEST_SECONDS + " s", e);
        }
    }
}
