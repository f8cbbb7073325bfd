package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Refused operations set no mark; an operation that finds its own mark gone changes nothing. */
class SubtreeMarksTest {
    private static final FsPath DIRECTORY = FsPath.of("/d/s");
    private static final FsPath OTHER = FsPath.of("/d/t");
    private static final Principal ANN = new Principal("ann", List.of("staff"));
    private static final Principal BOB = new Principal("bob", List.of("users"));

    private final SimulatedCluster cluster = new SimulatedCluster(7, 1);
    private Instance instance;

    @BeforeEach
    void makeDirectories() {
        instance = cluster.start(0);
        done(new NamespaceOperation.Mkdirs(DIRECTORY.child("below").child("full"), 0700, true));
        done(new NamespaceOperation.Mkdirs(OTHER.child("full"), 0755, true));
        done(new AttributeOperation.SetOwner(FsPath.of("/d"), ANN.user(), null));
        done(new AttributeOperation.SetOwner(DIRECTORY, ANN.user(), null));
    }

    private void done(Operation<?> operation) {
        assertThat(instance.call(operation)).isEqualTo(Reply.Done.YES);
    }

    static List<Operation<?>> changes() {
        return List.of(
                new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/d/r"), RenameMode.STRICT),
                new NamespaceOperation.Delete(DIRECTORY, true),
                new AttributeOperation.SetPermission(DIRECTORY, 0777),
                new AttributeOperation.SetOwner(DIRECTORY, null, "users"),
                new AttributeOperation.SetTimes(DIRECTORY, 5, 5),
                new AttributeOperation.SetXattr(DIRECTORY, "user.a", new byte[] {1}, true, true),
                new AttributeOperation.SetStoragePolicy(DIRECTORY, "COLD"),
                new AttributeOperation.SetQuota(DIRECTORY, 9, 9),
                new AttributeOperation.ChangeSnapshots(
                        DIRECTORY, AttributeOperation.ChangeSnapshots.Action.ALLOW, "", ""));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldMarkNothingForWhoeverMayNotChangeIt(Operation<?> change) {
        cluster.store.holdNextCommit(SubtreeMarksTest::marks);
        assertThat(code(instance.call(BOB, change))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(cluster.store.holds()).as("a mark").isFalse();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldMarkNothingInSafeMode(Operation<?> change) {
        done(new AttributeOperation.SetSafeMode(FsPath.ROOT, true));
        cluster.store.holdNextCommit(SubtreeMarksTest::marks);
        assertThat(code(instance.call(change))).isEqualTo(ErrorCode.SAFE_MODE);
        assertThat(cluster.store.holds()).as("a mark").isFalse();
    }

    /** Hadoop 1's rename answers false where it would replace a file. */
    @Test
    void shouldMarkNothingWhereAFileIsInTheWay() {
        FsPath file = FsPath.of("/d/file");
        instance.call(new FileOperation.Create(file, 0644, false, true, 1, 1 << 20, new byte[] {1}, null));
        instance.call(new ReadOperation.Stat(DIRECTORY.child("none")));
        cluster.store.holdNextCommit(SubtreeMarksTest::marks);
        assertThat(instance.call(new NamespaceOperation.Rename(DIRECTORY, file, RenameMode.INTO)))
                .isEqualTo(Reply.Done.NO);
        assertThat(cluster.store.holds()).as("a mark").isFalse();
    }

    private static boolean marks(List<Mutation> mutations) {
        return mutations.stream()
                .anyMatch(each ->
                        each instanceof Mutation.Put && each.key().table().equals(Schema.SUBTREE_OPERATIONS));
    }

    private static ErrorCode code(Reply reply) {
        return ((Reply.Failure) reply).code();
    }

    /** While an operation is about to lock what it has marked, its mark is removed, and the directory gets another mode. */
    private Reply sendAndTakeMark(Principal who, Operation<?> operation) {
        CompletableFuture<Void> last = cluster.store.holdNextRead(reads -> mark() != null
                && reads.stream().anyMatch(read -> read.key().table().equals(Schema.SUBTREE_OPERATIONS))
                && reads.stream().anyMatch(read -> read.key().table().equals(Schema.SLOTS)));
        CompletableFuture<OperationReply> reply = instance.send(who, cluster.nextId(), operation);
        while (mark() == null) {
            cluster.scheduler.advance(100_000);
        }
        cluster.scheduler.advance(10_000_000);
        assertThat(reply).isNotDone();
        INode found = mark();
        List<Mutation> taken = cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.SUBTREE_OPERATIONS))
                .<Mutation>map(row -> new Mutation.Delete(row.key()))
                .collect(Collectors.toList());
        taken.add(new Mutation.Put(Rows.of(found.withMark(null).withMode(0711))));
        cluster.await(cluster.engine.begin(0).commit(taken, Long.MAX_VALUE));
        last.complete(null);
        return cluster.await(reply).reply();
    }

    /** Returns the directory while it is marked. */
    private INode mark() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INODES))
                .map(Rows::inode)
                .filter(node -> node.isFlagged() && node.name().equals(DIRECTORY.name()))
                .findFirst()
                .orElse(null);
    }

    private int mode() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INODES))
                .map(Rows::inode)
                .filter(node -> node.name().equals(DIRECTORY.name()))
                .map(INode::mode)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldBeginAgainWhereItsMarkIsGoneBeforeItChangesAnything() {
        Operation<?> times = new AttributeOperation.SetTimes(DIRECTORY, -1, 77);
        assertThat(sendAndTakeMark(SimulatedCluster.ROOT, times)).isEqualTo(Reply.Done.YES);
        assertThat(mode()).isEqualTo(0711);
        Reply.Status status = (Reply.Status) instance.call(new ReadOperation.Stat(DIRECTORY));
        assertThat(status.attributes().atime()).isEqualTo(77);
        cluster.wholeStore();
    }

    /** ann may not look into a directory below, which is found out under the mark. */
    @Test
    void shouldBeginAgainWhereItsMarkIsGoneBeforeItIsRefused() {
        Operation<?> delete = new NamespaceOperation.Delete(DIRECTORY, true);
        assertThat(code(sendAndTakeMark(ANN, delete))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(mode()).isEqualTo(0711);
        cluster.wholeStore();
    }
}
