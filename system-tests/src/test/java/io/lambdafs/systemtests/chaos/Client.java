package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.concurrent.CompletionStage;

/** Sends requests, from this process or from another. */
interface Client {
    /** Completes with how it ended, never exceptionally. */
    CompletionStage<Answer> ask(Request request, FsPath world);

    /** A client of this process. */
    static Client of(LambdaFs fs) {
        return (request, world) -> {
            long invoked = System.nanoTime();
            return execute(fs, request.inWorld(world)).handle((reply, error) -> Answer.of(invoked, reply, error));
        };
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<Reply> execute(LambdaFs fs, Operation<?> operation) {
        return (CompletionStage<Reply>) fs.execute(operation);
    }
}
