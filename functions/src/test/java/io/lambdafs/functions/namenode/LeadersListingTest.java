package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the complete listing of an instance that changes its directory while others cache it too. */
class LeadersListingTest {
    private static final Operation<?> LIST = new ReadOperation.ListPage(FsPath.of("/d"), "", 100);

    private final SimulatedCluster cluster = new SimulatedCluster(29, 1);
    private final Instance leader = cluster.start(0);
    private final Instance other = cluster.start(0);

    private static FileOperation.Create create(String path) {
        return new FileOperation.Create(FsPath.of(path), 0644, false, true, 1, 1 << 20, new byte[0], null);
    }

    private static List<String> names(Reply reply) {
        return ((Reply.Page) reply).entries().stream().map(Attributes::name).toList();
    }

    private void cachedByBoth() {
        leader.call(create("/d/f"));
        for (Instance instance : List.of(leader, other)) {
            instance.call(LIST);
            assertThat(instance.hits(LIST)).isTrue();
        }
    }

    @Test
    void shouldKeepTheLeadersListingCompleteWithItsChange() {
        cachedByBoth();
        leader.call(create("/d/g"));
        assertThat(leader.hits(LIST)).isTrue();
        assertThat(other.hits(LIST)).isFalse();
        leader.call(new NamespaceOperation.Rename(FsPath.of("/d/g"), FsPath.of("/d/h"), RenameMode.STRICT));
        leader.call(new AttributeOperation.SetPermission(FsPath.of("/d/f"), 0600));
        leader.call(new NamespaceOperation.Delete(FsPath.of("/d/f"), false));

        assertThat(leader.hits(LIST)).isTrue();
        assertThat(names(leader.call(LIST))).containsExactly("h");
        assertThat(names(other.call(LIST))).containsExactly("h");
    }

    @Test
    void shouldListWhatTwoInstancesChangeAtOnce() {
        cachedByBoth();
        cluster.setLatency(Duration.ofMillis(3));
        CompletableFuture<OperationReply> mine =
                leader.send(SimulatedCluster.ROOT, cluster.nextId(), create("/d/mine"));
        CompletableFuture<OperationReply> theirs =
                other.send(SimulatedCluster.ROOT, cluster.nextId(), create("/d/theirs"));
        cluster.await(mine);
        cluster.await(theirs);

        for (Instance instance : List.of(leader, other)) {
            assertThat(names(instance.call(LIST))).containsExactly("f", "mine", "theirs");
        }
    }
}
