package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many paths that one request removes, each exactly once and with an outcome of its own. */
class BulkDeleteTest {
    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final RequestId FIRST = new RequestId(77, 78, 1, 1);

    private final SimulatedCluster cluster = new SimulatedCluster(3, 2);

    private void create(FsPath path) {
        Reply reply = cluster.call(new FileOperation.Create(path, 0644, false, true, 1, 1 << 20, new byte[] {1}, null));
        assertThat(reply).isNotInstanceOf(Reply.Failure.class);
    }

    private List<FsPath> files(int count) {
        List<FsPath> paths = IntStream.range(0, count)
                .mapToObj(i -> DIRECTORY.child("f" + i))
                .toList();
        paths.forEach(this::create);
        return paths;
    }

    private List<Reply> outcomes(Reply reply) {
        return ((Reply.Outcomes) reply).outcomes();
    }

    private boolean isThere(FsPath path) {
        return !(cluster.call(new ReadOperation.Stat(path)) instanceof Reply.Failure);
    }

    private long detached() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().name().equals("inodes"))
                .count();
    }

    @Test
    void shouldRemoveAsManyAsAPageHasAndTellWhatBecameOfEach() {
        List<FsPath> paths = new ArrayList<>(files(1_000));
        create(FsPath.of("/full/f"));
        cluster.call(new NamespaceOperation.Mkdirs(FsPath.of("/empty"), 0755, true));
        paths.set(10, FsPath.of("/missing"));
        paths.set(20, FsPath.of("/full"));
        paths.set(30, FsPath.of("/empty"));
        long before = detached();

        List<Reply> outcomes = outcomes(cluster.call(new BulkDelete(FIRST, paths)));

        assertThat(outcomes).hasSize(1_000);
        assertThat(outcomes.get(10)).isEqualTo(Reply.Done.NO);
        assertThat(BlockFileCase.codeOf(outcomes.get(20))).isEqualTo(ErrorCode.NOT_EMPTY);
        assertThat(outcomes.get(30)).isEqualTo(Reply.Done.YES);
        assertThat(outcomes).filteredOn(Reply.Done.YES::equals).hasSize(998);
        assertThat(detached()).isEqualTo(before - 998);
        assertThat(isThere(FsPath.of("/full/f"))).isTrue();
        cluster.wholeStore();
    }

    @Test
    void shouldRemoveEachOnceHoweverOftenItIsAsked() {
        List<FsPath> paths = files(5);
        BulkDelete operation = new BulkDelete(FIRST, paths);
        Reply first = cluster.call(operation);
        create(paths.get(3));

        Reply again = cluster.call(operation);

        assertThat(again).isEqualTo(first);
        assertThat(isThere(paths.get(3))).isTrue();
        RequestId next = new RequestId(77, 78, 1, 2);
        List<Reply> last = outcomes(cluster.call(new BulkDelete(next, paths)));
        assertThat(last.get(3)).isEqualTo(Reply.Done.YES);
        assertThat(last).filteredOn(Reply.Done.NO::equals).hasSize(4);
        assertThat(outcomes(cluster.call(operation)))
                .as("an older request of these slots")
                .allSatisfy(each -> assertThat(BlockFileCase.codeOf(each)).isEqualTo(ErrorCode.STALE_SEQUENCE));
    }

    @Test
    void shouldAnswerAsBeforeWhereTheInstanceIsLostInTheMiddle() {
        List<FsPath> paths = files(200);
        BulkDelete operation = new BulkDelete(FIRST, paths);
        SimulatedCluster.Instance lost = cluster.owner(operation);
        CompletableFuture<Void> held = cluster.store.holdNextCommit(
                mutations -> mutations.stream().anyMatch(Mutation.Delete.class::isInstance));
        cluster.setLatency(Duration.ofMillis(5));
        CompletableFuture<OperationReply> never = lost.send(SimulatedCluster.ROOT, cluster.nextId(), operation);
        while (!cluster.store.holds()) {
            cluster.advance(Duration.ofMillis(1));
        }
        cluster.advance(Duration.ofMillis(8));
        cluster.kill(lost);
        held.complete(null);
        assertThat(never).isNotDone();
        assertThat(paths).as("some").anyMatch(path -> !isThere(path));

        List<Reply> outcomes = outcomes(cluster.call(operation));

        assertThat(outcomes)
                .as("each was there, and was removed by this request")
                .containsOnly(Reply.Done.YES);
        assertThat(paths).noneMatch(this::isThere);
        cluster.wholeStore();
    }
}
