package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection to the store is lost under a commit: it may still happen, until the store has ended the transaction. */
class UnknownOutcomeTest {
    private static final Operation<?> MOVE =
            new NamespaceOperation.Rename(FsPath.of("/d"), FsPath.of("/e"), RenameMode.STRICT);

    private final SimulatedCluster cluster = new SimulatedCluster(11, 1);
    private Instance first;
    private Instance second;

    @BeforeEach
    void start() {
        first = cluster.start(0);
        second = cluster.start(0);
        cluster.setLatency(Duration.ofMillis(1));
        first.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/sub/deep"), 0755, true));
    }

    private static FileOperation.Create create(String path) {
        return new FileOperation.Create(
                FsPath.of(path), 0644, false, true, 1, 1 << 20, "x".getBytes(StandardCharsets.UTF_8), null);
    }

    private static Predicate<List<Mutation>> changes(io.lambdafs.store.Table table) {
        return mutations -> mutations.stream()
                .anyMatch(
                        m -> m instanceof Mutation.Put put && put.key().table().equals(table));
    }

    private CompletableFuture<OperationReply> send(Instance instance, Operation<?> operation) {
        return instance.send(SimulatedCluster.ROOT, cluster.nextId(), operation);
    }

    private static ErrorCode failure(Reply reply) {
        return ((Reply.Failure) reply).code();
    }

    /** As a client does: sends the request again, under its id, while the answer says that it may. */
    private Reply callAgain(Instance instance, RequestId id, Operation<?> operation) {
        for (int i = 0; i < 20; i++) {
            Reply reply = cluster.await(instance.send(SimulatedCluster.ROOT, id, operation))
                    .reply();
            if (!(reply instanceof Reply.Failure failure) || failure.code().disposition() == Disposition.FINAL) {
                return reply;
            }
        }
        throw new AssertionError("still refused after 20 attempts");
    }

    @Test
    void shouldNotMoveADirectoryWhileACreateBelowMayStillHappen() {
        CompletableFuture<Void> arrives = cluster.store.loseNextCommit(changes(Schema.INODES));
        CompletableFuture<OperationReply> create = send(second, create("/d/sub/deep/x"));
        cluster.advance(Duration.ofMillis(20));
        RequestId id = cluster.nextId();
        CompletableFuture<OperationReply> move = first.send(SimulatedCluster.ROOT, id, MOVE);
        cluster.advance(Duration.ofMillis(500));
        assertThat(move.isDone()).as("the create would surface below /e").isFalse();
        arrives.complete(null);
        assertThat(cluster.await(create).reply()).isInstanceOf(Reply.Status.class);
        assertThat(callAgain(first, id, MOVE)).isEqualTo(Reply.Done.YES);
        assertThat(first.call(new ReadOperation.Stat(FsPath.of("/e/sub/deep/x"))))
                .isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldMoveADirectoryOnceTheStoreHasEndedTheCreateBelow() {
        CompletableFuture<Void> arrives = cluster.store.loseNextCommit(changes(Schema.INODES));
        CompletableFuture<OperationReply> create = send(second, create("/d/sub/deep/x"));
        cluster.advance(Duration.ofMillis(20));
        long began = cluster.scheduler.nanoTime();
        assertThat(callAgain(first, cluster.nextId(), MOVE)).isEqualTo(Reply.Done.YES);
        assertThat(failure(cluster.await(create).reply())).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(Duration.ofNanos(cluster.scheduler.nanoTime() - began))
                .isBetween(Times.DEFAULT.lockWait(), Times.DEFAULT.attempt());
        arrives.complete(null);
        cluster.advance(Duration.ofMillis(500));
        assertThat(failure(first.call(new ReadOperation.Stat(FsPath.of("/e/sub/deep/x")))))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldRemoveAMarkThatWasSetAlthoughNobodyWasTold() {
        CompletableFuture<Void> arrives = cluster.store.loseNextCommit(changes(Schema.SUBTREE_OPERATIONS));
        RequestId id = cluster.nextId();
        Reply unknown =
                cluster.await(second.send(SimulatedCluster.ROOT, id, MOVE)).reply();
        assertThat(failure(unknown)).isEqualTo(ErrorCode.CONNECTION_LOST);
        arrives.complete(null);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(callAgain(first, cluster.nextId(), create("/d/sub/deep/x"))).isInstanceOf(Reply.Status.class);
        assertThat(callAgain(first, id, MOVE)).as("the repetition").isEqualTo(Reply.Done.YES);
    }
}
