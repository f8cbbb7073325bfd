package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The store decides whether a request is late: an instance's wall clock may be wrong. */
class WallClockTest {
    private static final FsPath PATH = FsPath.of("/d");
    private static final Operation<?> MKDIRS = new NamespaceOperation.Mkdirs(PATH, 0755, true);

    private final SimulatedCluster cluster = new SimulatedCluster(7, 1);
    private final Instance instance = cluster.start(0);

    @Test
    void shouldServeRequestsInTimeByAWallClockThatIsAhead() {
        instance.process.setWallClockAhead(Duration.ofMinutes(5));
        assertThat(instance.call(MKDIRS)).isEqualTo(Reply.Done.YES);
        assertThat(instance.call(new ReadOperation.Stat(PATH))).isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldNotDoAWriteThatCameAfterItsDeadline() {
        instance.process.setWallClockAhead(Duration.ofMinutes(-5));
        CompletableFuture<OperationReply> reply = new CompletableFuture<>();
        instance.nameNode.execute(
                SimulatedCluster.ROOT,
                new OperationRequest(0, cluster.nextId(), 1, cluster.scheduler.currentTimeMillis() - 1, MKDIRS),
                reply::complete);
        assertThat(cluster.await(reply).reply())
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
        assertThat(instance.call(new ReadOperation.Stat(PATH)))
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }
}
