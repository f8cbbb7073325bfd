package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Upgrade;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Instances of two builds over a store of the earlier one's format level, and how that is raised while they serve. */
class FormatLevelTest {
    private static final FsPath BIG = FsPath.of("/big");

    private final SimulatedCluster cluster = new SimulatedCluster(21, 2);
    private final List<CompletableFuture<OperationReply>> load = new ArrayList<>();
    private int worlds;

    @BeforeEach
    void startAtTheFirstLevel() {
        put(FormatLevel.FIRST.row());
        DatanodeAddress address = new DatanodeAddress("d1", "localhost", 9_000);
        put(new Datanode(address, "local", Datanode.State.SERVING, 0, 0, cluster.scheduler.currentTimeMillis()).row());
        cluster.setLatency(Duration.ofMillis(2));
    }

    private void put(Row row) {
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
    }

    private SimulatedCluster.Instance startEarlier(int deployment) {
        cluster.build = store -> new WrappedStore(store, EarlierBuild::new);
        SimulatedCluster.Instance earlier = cluster.start(deployment);
        cluster.build = store -> store;
        return earlier;
    }

    private void send(Operation<?> operation) {
        load.add(cluster.owner(operation).send(SimulatedCluster.ROOT, cluster.nextId(), operation));
    }

    private void finish(Operation<?> operation) {
        Reply reply = cluster.call(operation);
        assertThat(reply).isNotInstanceOf(Reply.Failure.class);
    }

    private static FileOperation.Create create(FsPath path, byte[] content) {
        return new FileOperation.Create(path, 0644, false, true, 1, 100, content, null);
    }

    /** Begins operations in directories of their own, of which some are answered by each instance. */
    private void beginLoad() {
        for (int i = 0; i < 20; i++) {
            FsPath directory = FsPath.of("/w" + worlds++);
            finish(new NamespaceOperation.Mkdirs(directory, 0755, true));
            finish(create(directory.child("a"), new byte[] {1}));
            send(create(directory.child("b"), new byte[] {2}));
            send(new NamespaceOperation.Rename(directory.child("a"), directory.child("c"), RenameMode.OVERWRITE));
            send(new NamespaceOperation.Mkdirs(directory.child("d").child("e"), 0755, true));
            send(new ReadOperation.Stat(directory));
        }
    }

    private void finishLoad() {
        for (CompletableFuture<OperationReply> each : load) {
            assertThat(cluster.await(each).reply()).isNotInstanceOf(Reply.Failure.class);
        }
        load.clear();
        assertThat(cluster.inspect().problems()).isEmpty();
    }

    private Reply addBlock(OpenFile file) {
        return cluster.call(new BlockOperation.AddBlock(BIG, file, 0, 0, null));
    }

    private OpenFile openBig() {
        return ((Reply.Status) cluster.call(create(BIG, new byte[0]))).file();
    }

    private static void assertRefused(Reply reply, ErrorCode code, String... says) {
        assertThat(reply).isInstanceOfSatisfying(Reply.Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.message()).contains(says);
        });
    }

    private void raise() {
        cluster.await(Upgrade.raise(cluster.store));
    }

    @Test
    void shouldServeAtTheLowerLevelBesideTheBuildBeforeAndBeRaisedUnderLoad() {
        SimulatedCluster.Instance earlier = startEarlier(0);
        SimulatedCluster.Instance later = cluster.start(1);
        beginLoad();
        assertThatThrownBy(this::raise)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_ALLOWED))
                .hasMessageContaining("1 of 2 instances", "of deployment 0");
        finishLoad();
        OpenFile big = openBig();
        assertRefused(addBlock(big), ErrorCode.NEEDS_DATANODE, "format level 1", "lambdafs upgrade --finalize");
        assertThat(cluster.rows())
                .extracting(row -> row.key().table())
                .doesNotContain(Schema.BLOCKS, Schema.WRITER_LEASES, Schema.DETACHED_FILES, Schema.INVALID_BLOCKS);

        cluster.leave(earlier);
        cluster.start(0);
        long epoch = later.nameNode.epoch();
        beginLoad();
        raise();
        finishLoad();
        assertThat(addBlock(big)).isInstanceOf(Reply.BlockAdded.class);
        assertThat(later.nameNode.epoch()).isEqualTo(epoch);
        assertThat(cluster.inspect().problems()).isEmpty();
    }

    @Test
    void shouldRefuseToJoinOrAddBlocksAtANewerLevel() {
        cluster.start(0);
        cluster.start(1);
        OpenFile big = openBig();
        put(new Row(FormatLevel.KEY, "99"));

        assertRefused(
                addBlock(big), ErrorCode.UNSUPPORTED, "format level 99", "levels up to " + FormatLevel.NEWEST.number());
        assertThatThrownBy(() -> cluster.start(0))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining("use the build that raised it");
        assertThatThrownBy(() -> cluster.await(Formatter.format(cluster.store, 2, "root", 1)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
    }

    @Test
    void shouldTellWhetherItHasFormatted() {
        MemoryStore empty = new MemoryStore(cluster.scheduler);

        assertThat(cluster.await(Formatter.format(empty, 2, "root", 1))).isTrue();
        assertThat(cluster.await(Formatter.format(empty, 2, "root", 1))).isFalse();
    }

    @Test
    void shouldSayThatAStoreHoldsNoFileSystem() {
        SimulatedCluster.Instance instance = cluster.start(0);
        cluster.await(
                cluster.store.begin(0).commit(List.of(new Mutation.Delete(Rows.inodeKey(0, ""))), Long.MAX_VALUE));

        assertThat(instance.call(new ReadOperation.Stat(FsPath.of("/a"))))
                .isInstanceOfSatisfying(Reply.Failure.class, refused -> {
                    assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE);
                    assertThat(refused.message()).startsWith("the store holds no file system: start the cluster");
                });
    }

    @Test
    void shouldLeaveAStoreAtItsLevelWhenItStarts() {
        assertThat(cluster.await(Formatter.format(cluster.store, 2, "root", 1))).isFalse();

        assertThat(cluster.rows()).contains(FormatLevel.FIRST.row());
    }
}
