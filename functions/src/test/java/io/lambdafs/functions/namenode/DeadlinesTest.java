package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Clients whose clocks are wrong. */
class DeadlinesTest {
    private final SimulatedCluster cluster = new SimulatedCluster(37, 1);

    @Test
    void shouldCommitNothingWhenItsSlotMayBeForgottenWhateverTheClientsClockSays() {
        Instance instance = cluster.start(0);
        CompletableFuture<OperationReply> reply = new CompletableFuture<>();
        instance.nameNode.execute(
                SimulatedCluster.ROOT,
                new OperationRequest(
                        0,
                        cluster.nextId(),
                        1,
                        Long.MAX_VALUE,
                        new NamespaceOperation.Mkdirs(FsPath.of("/d"), 0755, true)),
                reply::complete);

        assertThat(cluster.await(reply).reply()).isEqualTo(Reply.Done.YES);
        assertThat(instance.failpoint.lastDeadlineMillis)
                .isPositive()
                .isLessThan(cluster.scheduler.currentTimeMillis()
                        + Times.DEFAULT.slotLife().toMillis());
    }
}
