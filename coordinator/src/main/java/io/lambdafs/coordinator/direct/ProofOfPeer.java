package io.lambdafs.coordinator.direct;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The dialling end, behind authentication: it wants nothing of the other end but its proof. Thread-safe. */
final class ProofOfPeer implements ConnectionHandler {
    private final CompletableFuture<@Nullable Void> given = new CompletableFuture<>();

    /** Completes when the other end has proved itself. */
    CompletionStage<@Nullable Void> given() {
        return given;
    }

    @Override
    public void opened(Connection connection) {
        given.complete(null);
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        reply.accept(Failed.of(
                new FsException(ErrorCode.UNSUPPORTED, "this end of the connection asks, it does not answer")));
    }

    @Override
    public void closed(Connection connection) {
        given.completeExceptionally(new FsException(
                ErrorCode.CONNECTION_LOST, "the connection was lost before both ends had proved themselves"));
    }
}
