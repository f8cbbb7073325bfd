package io.lambdafs.hammer.tree;

import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.testkit.MemoryNamespace;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A {@link MemoryNamespace} as a target, for one user. Thread-safe. */
public final class MemoryFileSystem implements Target {
    private static final Principal USER = new Principal("user", List.of("group"));

    private final MemoryNamespace namespace = new MemoryNamespace();

    @Override
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        return CompletableFuture.completedFuture(apply(operation));
    }

    /** @throws io.lambdafs.model.FsException where the operation is refused */
    public <R extends Reply> R apply(Operation<R> operation) {
        return namespace.answer(USER, operation);
    }
}
