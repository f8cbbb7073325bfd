package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.store.instance.Deployments;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The number of deployments is changed under instances that serve (PROTOCOL: G1, G2, G3). */
class ResizeTest {
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final Operation<?> STAT = new ReadOperation.Stat(FILE);

    private final SimulatedCluster cluster = new SimulatedCluster(11, 2);
    private Instance owner;
    private Instance other;

    @BeforeEach
    void start() {
        int deployment = cluster.placement.owner(FILE);
        owner = cluster.start(deployment);
        other = cluster.start(1 - deployment);
        cluster.setLatency(Duration.ofMillis(1));
        owner.call(new FileOperation.Create(
                FILE, 0644, false, true, 1, 1 << 20, "x".getBytes(StandardCharsets.UTF_8), null));
        owner.call(STAT);
        assertThat(owner.hits(STAT)).isTrue();
    }

    private Placement resize(int deployments) {
        return cluster.await(Deployments.change(cluster.store, deployments));
    }

    private CompletableFuture<OperationReply> ask(Instance instance, int generation, Operation<?> operation) {
        CompletableFuture<OperationReply> reply = new CompletableFuture<>();
        RequestId id = cluster.nextId();
        long deadline = cluster.scheduler.currentTimeMillis() + 60_000;
        instance.nameNode.execute(
                SimulatedCluster.ROOT,
                new OperationRequest(0, id, 1, deadline, operation, generation),
                reply::complete);
        return reply;
    }

    private void until(String what, java.util.function.BooleanSupplier condition) {
        for (int i = 0; i < 100_000 && !condition.getAsBoolean(); i++) {
            cluster.scheduler.advance(100_000);
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    @Test
    void shouldAnswerARequestOfAnotherGenerationWithItsOwnPlacement() {
        Reply refused = cluster.await(ask(owner, 3, STAT)).reply();
        assertThat(refused).isEqualTo(Reply.Failure.resized(new Placement(0, 2)));
        assertThat(cluster.await(ask(owner, OperationRequest.ANY_GENERATION, STAT))
                        .reply())
                .isInstanceOf(Reply.Status.class);
        // What the request said was not so: the epoch goes on.
        cluster.scheduler.advance(Duration.ofSeconds(1));
        assertThat(owner.hits(STAT)).isTrue();
    }

    @Test
    void shouldJoinAnewWithEmptyCachesWhereTheLeaderSeesTheChange() {
        long first = owner.nameNode.epoch();
        long second = other.nameNode.epoch();

        assertThat(resize(3)).isEqualTo(new Placement(1, 3));

        until("both have joined anew", () -> owner.nameNode.epoch() > second && other.nameNode.epoch() > second);
        assertThat(cluster.await(Deployments.earlier(cluster.store, new Placement(1, 3))))
                .isEmpty();
        assertThat(owner.nameNode.epoch()).isGreaterThan(first);
        assertThat(owner.trie.walk(FILE).isComplete()).isFalse();
        assertThat(cluster.await(ask(owner, 0, STAT)).reply()).isEqualTo(Reply.Failure.resized(new Placement(1, 3)));
        assertThat(cluster.await(ask(owner, 1, STAT)).reply()).isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldFindOutFromARequestWhereItDoesNotLead() {
        Instance follower = owner.nameNode.epoch() > other.nameNode.epoch() ? owner : other;
        long before = follower.nameNode.epoch();
        resize(3);

        ask(follower, 1, STAT);

        cluster.scheduler.advance(Times.DEFAULT.lease().dividedBy(4));
        assertThat(follower.nameNode.epoch()).isNotEqualTo(before);
    }

    @Test
    void shouldNotServeBeforeThoseOfBeforeHaveLeft() {
        long before = owner.nameNode.epoch();
        // It stands still with what it has cached, and its lease stands.
        owner.process.freeze();
        owner.channel.isolate();
        resize(3);
        List<String> story = new ArrayList<>();
        Instance third = cluster.new Instance(2);
        CompletionStage<Long> joined = third.nameNode.start();
        joined.thenRun(() -> story.add(isAlive(before) ? "served beside it" : "served after it"));

        cluster.scheduler.advance(Times.DEFAULT.ackWait());
        assertThat(third.nameNode.epoch()).isZero();
        cluster.await(joined);

        assertThat(story).containsExactly("served after it");
        owner.process.thaw();
        cluster.scheduler.advance(Duration.ofMillis(1));
        assertThat(owner.nameNode.epoch()).isNotEqualTo(before);
    }

    private boolean isAlive(long epoch) {
        return cluster.rows().stream().anyMatch(row -> row.key().equals(io.lambdafs.store.Rows.epochKey(epoch)));
    }

    @Test
    void shouldHaveNoEpochWhereThereIsNoSuchDeploymentAndTellWhatThereIs() {
        Instance gone = owner.deployment == 1 ? owner : other;
        long before = gone.nameNode.epoch();
        resize(1);
        until("it has lost its epoch", () -> gone.nameNode.epoch() != before);
        cluster.scheduler.advance(Duration.ofSeconds(2));

        assertThat(gone.nameNode.epoch()).isZero();
        assertThat(cluster.await(ask(gone, 0, STAT)).reply()).isEqualTo(Reply.Failure.resized(new Placement(1, 1)));
        // One that asks whoever is there is refused, and may ask again elsewhere.
        Reply refused = cluster.await(ask(gone, 1, STAT)).reply();
        assertThat(((Reply.Failure) refused).code()).isEqualTo(ErrorCode.RESIZED);

        resize(2);
        until("it has joined again", () -> gone.nameNode.epoch() != 0);
    }
}
