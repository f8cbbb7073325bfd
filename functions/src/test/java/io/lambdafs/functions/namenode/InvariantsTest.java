package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.cache.Walk;
import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One script per invariant of the protocol, each with the interleaving that breaks a looser rule. One deployment, two instances. */
class InvariantsTest {
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final Operation<?> STAT = new ReadOperation.Stat(FILE);
    private static final Operation<?> CHMOD = new AttributeOperation.SetPermission(FILE, 0600);

    private final SimulatedCluster cluster = new SimulatedCluster(7, 1);
    private Instance first;
    private Instance second;

    @BeforeEach
    void start() {
        first = cluster.start(0);
        second = cluster.start(0);
        cluster.setLatency(Duration.ofMillis(1));
        first.call(create("/d/f"));
        warm(first);
        warm(second);
    }

    private static FileOperation.Create create(String path) {
        return new FileOperation.Create(
                FsPath.of(path), 0644, false, true, 1, 1 << 20, "x".getBytes(StandardCharsets.UTF_8), null);
    }

    private void warm(Instance instance) {
        instance.call(STAT);
        assertThat(instance.hits(STAT)).isTrue();
    }

    private static int mode(Reply reply) {
        return ((Reply.Status) reply).attributes().mode();
    }

    private CompletableFuture<OperationReply> send(Instance instance, Operation<?> operation) {
        return instance.send(SimulatedCluster.ROOT, cluster.nextId(), operation);
    }

    private static boolean writesInode(List<Mutation> mutations) {
        return mutations.stream().anyMatch(m -> m.key().table().equals(Schema.INODES));
    }

    @Test
    void i1ShouldNotCacheAValueReadBetweenAckAndCommit() {
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(InvariantsTest::writesInode);
        CompletableFuture<OperationReply> chmod = send(first, CHMOD);
        cluster.advance(Duration.ofMillis(20));
        assertThat(second.trie.walk(FILE).isComplete())
                .as("the INV has been obeyed")
                .isFalse();
        assertThat(mode(second.call(STAT)))
                .as("answered, uncached, while the lock is held")
                .isEqualTo(0644);
        gate.complete(null);
        assertThat(cluster.await(chmod).reply()).isEqualTo(Reply.Done.YES);
        assertThat(mode(second.call(STAT))).isEqualTo(0600);
        assertThat(mode(first.call(STAT))).isEqualTo(0600);
    }

    @Test
    void i2ShouldCommitOnlyWhenNobodyHoldsTheOldValue() {
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(InvariantsTest::writesInode);
        second.channel.isolate();
        CompletableFuture<OperationReply> chmod = send(first, CHMOD);
        cluster.advance(Duration.ofMillis(100));
        Walk cached = second.trie.walk(FILE);
        assertThat(cached.isComplete()).as("the INV did not arrive").isTrue();
        gate.complete(null);
        for (int i = 0; !chmod.isDone(); i++) {
            assertThat(i).isLessThan(10_000);
            cluster.advance(Duration.ofMillis(1));
            if (chmod.isDone()) {
                assertThat(second.hits(STAT) && mode(second.call(STAT)) == 0644)
                        .as("the old value answers after the commit")
                        .isFalse();
            }
        }
        assertThat(chmod.join().reply()).isEqualTo(Reply.Done.YES);
    }

    @Test
    void i2ShouldLetNobodyJoinInTheMiddleOfAWriteThatGoesAlone() {
        cluster.await(second.nameNode.leave());
        warm(first);
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(InvariantsTest::writesInode);
        CompletableFuture<OperationReply> chmod = send(first, CHMOD);
        cluster.advance(Duration.ofMillis(20));
        assertThat(mode(first.call(STAT))).as("the store has not got it").isEqualTo(0644);
        assertThat(first.hits(STAT)).as("filled in the middle of it").isFalse();
        Instance newcomer = cluster.new Instance(0);
        CompletableFuture<Long> join = newcomer.nameNode.start().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(join).as("a member has not acknowledged it yet").isNotDone();
        gate.complete(null);
        assertThat(cluster.await(chmod).reply()).isEqualTo(Reply.Done.YES);
        cluster.await(join);
        assertThat(mode(newcomer.call(STAT))).isEqualTo(0600);
        assertThat(first.hits(STAT)).isTrue();
        assertThat(mode(first.call(STAT))).isEqualTo(0600);
    }

    @Test
    void i3ShouldAnswerNothingFromItsCacheWhenItWokeUpWithoutLease() {
        second.process.freeze();
        assertThat(cluster.await(send(first, CHMOD)).reply()).isEqualTo(Reply.Done.YES);
        assertThat(second.trie.walk(FILE).isComplete())
                .as("it slept through the INV")
                .isTrue();
        CompletableFuture<OperationReply> woken = send(second, STAT);
        assertThat(woken.isDone() && woken.join().cacheHit())
                .as("a hit without lease")
                .isFalse();
        second.process.thaw();
        Reply reply = retry(second, STAT);
        assertThat(mode(reply)).isEqualTo(0600);
    }

    @Test
    void i3ShouldCommitNothingUnderADeadEpoch() {
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(InvariantsTest::writesInode);
        CompletableFuture<OperationReply> late = send(second, create("/d/late"));
        cluster.advance(Duration.ofMillis(20));
        second.process.freeze();
        assertThat(cluster.await(send(first, CHMOD)).reply()).isEqualTo(Reply.Done.YES);
        gate.complete(null);
        second.process.thaw();
        OperationReply answer = cluster.await(late);
        assertThat(answer.reply())
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code().disposition()).isNotEqualTo(Disposition.FINAL));
        assertThat(retry(first, new ReadOperation.Stat(FsPath.of("/d/late"))))
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void i4ShouldChangeTheNamespaceOncePerRequest() {
        RequestId id = cluster.nextId();
        Operation<?> rename = new NamespaceOperation.Rename(FILE, FsPath.of("/d/g"), RenameMode.STRICT);
        CompletableFuture<OperationReply> one = first.send(SimulatedCluster.ROOT, id, rename);
        CompletableFuture<OperationReply> twin = second.send(SimulatedCluster.ROOT, id, rename);
        assertThat(cluster.await(one).reply()).isEqualTo(Reply.Done.YES);
        assertThat(cluster.await(twin).reply()).isEqualTo(Reply.Done.YES);
        first.call(create("/d/f"));
        assertThat(cluster.await(second.send(SimulatedCluster.ROOT, id, rename)).reply())
                .as("a late twin")
                .isEqualTo(Reply.Done.YES);
        assertThat(first.call(STAT)).isInstanceOf(Reply.Status.class);
        RequestId older = new RequestId(id.clientHigh(), id.clientLow(), id.slot(), id.sequence() - 1);
        assertThat(cluster.await(second.send(SimulatedCluster.ROOT, older, rename))
                        .reply())
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.STALE_SEQUENCE));
    }

    @Test
    void i4ShouldAnswerARefusalTheSameAfterItsReasonHasGone() {
        RequestId id = cluster.nextId();
        Operation<?> again = create("/d/f");
        Reply refusal =
                cluster.await(first.send(SimulatedCluster.ROOT, id, again)).reply();
        assertThat(((Reply.Failure) refusal).code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
        first.call(new NamespaceOperation.Delete(FILE, false));
        assertThat(cluster.await(second.send(SimulatedCluster.ROOT, id, again)).reply())
                .isEqualTo(refusal);
        assertThat(((Reply.Failure) first.call(STAT)).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void i4ShouldNotMakeADirectoryAgainForALateTwin() {
        RequestId id = cluster.nextId();
        Operation<?> mkdirs = new NamespaceOperation.Mkdirs(FsPath.of("/d"), 0755, true);
        assertThat(cluster.await(first.send(SimulatedCluster.ROOT, id, mkdirs)).reply())
                .isEqualTo(Reply.Done.YES);
        first.call(new NamespaceOperation.Delete(FsPath.of("/d"), true));
        assertThat(cluster.await(second.send(SimulatedCluster.ROOT, id, mkdirs)).reply())
                .isEqualTo(Reply.Done.YES);
        assertThat(((Reply.Failure) first.call(new ReadOperation.Stat(FsPath.of("/d")))).code())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldForgetTheSlotsOfASilentSessionOnly() {
        assertThat(slots("00000000000000010000000000000002")).isNotEmpty();
        cluster.advance(Duration.ofMinutes(9));
        first.call(create("/d/active"));
        cluster.advance(Duration.ofMinutes(5));
        assertThat(slots("00000000000000010000000000000002")).isNotEmpty();
        cluster.advance(Duration.ofMinutes(12));
        assertThat(slots("00000000000000010000000000000002")).isEmpty();
        assertThat(retry(first, create("/d/later"))).isInstanceOf(Reply.Status.class);
    }

    private List<Row> slots(String client) {
        StoreTransaction look = cluster.store.begin(0);
        List<Row> rows = cluster.await(look.scan(new Scan(Schema.SLOTS, client, null, 5_000)));
        look.abort();
        return rows;
    }

    @Test
    void i5ShouldNotLetCrossingRenamesMakeACycle() {
        first.call(new NamespaceOperation.Mkdirs(FsPath.of("/a/y"), 0755, true));
        first.call(new NamespaceOperation.Mkdirs(FsPath.of("/b/x"), 0755, true));
        second.call(new ReadOperation.Stat(FsPath.of("/a/y")));
        second.call(new ReadOperation.Stat(FsPath.of("/b/x")));
        Operation<?> one = new NamespaceOperation.Rename(FsPath.of("/a"), FsPath.of("/b/x/c"), RenameMode.STRICT);
        Operation<?> other = new NamespaceOperation.Rename(FsPath.of("/b"), FsPath.of("/a/y/d"), RenameMode.STRICT);
        CompletableFuture<OperationReply> left = send(first, one);
        CompletableFuture<OperationReply> right = send(second, other);
        List<Reply> replies =
                List.of(cluster.await(left).reply(), cluster.await(right).reply());
        assertThat(replies).filteredOn(Reply.Done.YES::equals).hasSize(1);
        assertThat(cluster.wholeStore().inodes())
                .as("the root, a, b, x, y, d and f, wherever they are")
                .isEqualTo(7);
    }

    @Test
    void i6ShouldLetWhatIsUnderWayBelowEndBeforeADirectoryMoves() {
        first.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/sub"), 0755, true));
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(InvariantsTest::writesInode);
        CompletableFuture<OperationReply> below = send(second, create("/d/sub/new"));
        cluster.advance(Duration.ofMillis(20));
        CompletableFuture<OperationReply> move =
                send(first, new NamespaceOperation.Rename(FsPath.of("/d"), FsPath.of("/e"), RenameMode.STRICT));
        cluster.advance(Duration.ofMillis(200));
        assertThat(move.isDone()).as("the move waits for the create below").isFalse();
        gate.complete(null);
        assertThat(cluster.await(below).reply()).isInstanceOf(Reply.Status.class);
        assertThat(cluster.await(move).reply()).isEqualTo(Reply.Done.YES);
        assertThat(second.call(new ReadOperation.Stat(FsPath.of("/e/sub/new")))).isInstanceOf(Reply.Status.class);
        assertThat(((Reply.Failure) second.call(new ReadOperation.Stat(FsPath.of("/d/sub/new")))).code())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void i6ShouldLetACommitWhoseAnswerWasLostEndBeforeADirectoryGoes() {
        first.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/sub"), 0755, true));
        CompletableFuture<Void> gate = cluster.store.loseNextCommit(InvariantsTest::writesInode);
        CompletableFuture<OperationReply> below = send(second, create("/d/sub/new"));
        cluster.advance(Duration.ofMillis(20));
        CompletableFuture<OperationReply> delete = send(first, new NamespaceOperation.Delete(FsPath.of("/d"), true));
        cluster.advance(Duration.ofMillis(200));
        assertThat(delete.isDone()).as("the commit may happen yet").isFalse();
        gate.complete(null);
        assertThat(cluster.await(below).reply()).as("known after all").isInstanceOf(Reply.Status.class);
        assertThat(cluster.await(delete).reply()).isEqualTo(Reply.Done.YES);
        cluster.advance(Duration.ofSeconds(10));
        cluster.wholeStore();
    }

    @Test
    void i6ShouldNotLetAWriteSurfaceThatWasAllowedUnderTheOldMode() {
        io.lambdafs.model.inode.Principal alice = new io.lambdafs.model.inode.Principal("alice", List.of("users"));
        first.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/sub/deep"), 0777, true));
        first.call(new AttributeOperation.SetPermission(FsPath.of("/d/sub/deep"), 0777));
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(InvariantsTest::writesInode);
        CompletableFuture<OperationReply> write = second.send(alice, cluster.nextId(), create("/d/sub/deep/x"));
        cluster.advance(Duration.ofMillis(20));
        CompletableFuture<OperationReply> close =
                send(first, new AttributeOperation.SetPermission(FsPath.of("/d"), 0700));
        cluster.advance(Duration.ofMillis(200));
        assertThat(close.isDone()).isFalse();
        gate.complete(null);
        assertThat(cluster.await(write).reply()).isInstanceOf(Reply.Status.class);
        assertThat(cluster.await(close).reply()).isEqualTo(Reply.Done.YES);
        Reply denied = cluster.await(second.send(alice, cluster.nextId(), create("/d/sub/deep/y")))
                .reply();
        assertThat(((Reply.Failure) denied).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void i7ShouldDelayAWriteBehindADeadInstanceByAckWaitAndLeaseOnly() {
        second.process.freeze();
        second.channel.isolate();
        long began = cluster.scheduler.nanoTime();
        assertThat(cluster.await(send(first, CHMOD)).reply()).isEqualTo(Reply.Done.YES);
        assertThat(Duration.ofNanos(cluster.scheduler.nanoTime() - began)).isLessThan(Duration.ofMillis(1_700));
        long next = cluster.scheduler.nanoTime();
        send(first, new AttributeOperation.SetPermission(FILE, 0644));
        assertThat(cluster.await(send(first, create("/d/next"))).reply()).isInstanceOf(Reply.Status.class);
        assertThat(Duration.ofNanos(cluster.scheduler.nanoTime() - next)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void i7ShouldDelayAWriteForTheLocksOfADeadInstanceByAckWaitAndLeaseOnly() {
        cluster.store.holdNextCommit(InvariantsTest::writesInode);
        send(second, create("/d/g"));
        cluster.advance(Duration.ofMillis(20));
        second.process.freeze();
        second.channel.isolate();
        long began = cluster.scheduler.nanoTime();
        assertThat(retry(first, new AttributeOperation.SetPermission(FsPath.of("/d"), 0700)))
                .isEqualTo(Reply.Done.YES);
        assertThat(Duration.ofNanos(cluster.scheduler.nanoTime() - began)).isLessThan(Duration.ofMillis(1_700));
    }

    @Test
    void i7ShouldDelayAWriteForTheNumbersThatADeadInstanceTakesByAckWaitAndLeaseOnly() {
        Instance third = cluster.start(0);
        Instance fourth = cluster.start(0);
        CompletableFuture<Void> never = cluster.store.holdNextCommit(
                mutations -> mutations.stream().anyMatch(m -> m.key().table().equals(Schema.SEQUENCES)));
        send(third, create("/d/g"));
        cluster.advance(Duration.ofMillis(20));
        assertThat(never.isDone()).isFalse();
        third.process.freeze();
        third.channel.isolate();
        long began = cluster.scheduler.nanoTime();
        assertThat(retry(fourth, create("/d/h"))).isInstanceOf(Reply.Status.class);
        assertThat(Duration.ofNanos(cluster.scheduler.nanoTime() - began)).isLessThan(Duration.ofMillis(1_700));
    }

    @Test
    void i7ShouldDelayNobodyByAnOrderlyLeave() {
        cluster.await(second.nameNode.leave());
        long began = cluster.scheduler.nanoTime();
        assertThat(cluster.await(send(first, CHMOD)).reply()).isEqualTo(Reply.Done.YES);
        assertThat(Duration.ofNanos(cluster.scheduler.nanoTime() - began)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void i7ShouldClearTheMarkOfADeadEpoch() {
        CompletableFuture<Void> never = cluster.store.holdNextCommit(mutations -> mutations.stream()
                .anyMatch(m -> m instanceof Mutation.Delete && m.key().equals(Rows.inodeKey(INode.ROOT_ID, "d"))));
        send(second, new NamespaceOperation.Rename(FsPath.of("/d"), FsPath.of("/e"), RenameMode.STRICT));
        cluster.advance(Duration.ofMillis(100));
        assertThat(never.isDone()).isFalse();
        second.process.freeze();
        second.channel.isolate();
        Reply reply = retry(first, CHMOD);
        assertThat(reply).isEqualTo(Reply.Done.YES);
        cluster.wholeStore();
    }

    @Test
    void i8ShouldSayThatItCannotAnswerRatherThanThatNothingIsThere() {
        second.coordinator.partition();
        second.channel.isolate();
        cluster.advance(Duration.ofSeconds(3));
        CompletableFuture<OperationReply> read = send(second, STAT);
        cluster.advance(Duration.ofSeconds(30));
        assertThat(read).isDone();
        assertThat(read.join().reply())
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code().disposition()).isEqualTo(Disposition.RETRY));
    }

    private Reply retry(Instance instance, Operation<?> operation) {
        RequestId id = cluster.nextId();
        for (int i = 0; i < 1_000; i++) {
            Reply reply = cluster.await(instance.send(SimulatedCluster.ROOT, id, operation))
                    .reply();
            if (!(reply instanceof Reply.Failure failure) || failure.code().disposition() == Disposition.FINAL) {
                return reply;
            }
            cluster.advance(Duration.ofMillis(20));
        }
        throw new AssertionError("never answered: " + operation);
    }
}
