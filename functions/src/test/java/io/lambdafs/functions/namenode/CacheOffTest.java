package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
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
import io.lambdafs.store.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Instances that cache nothing: alone among themselves they send no rounds, and beside one that caches nobody sees anything old. */
class CacheOffTest {
    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final Operation<?> STAT = new ReadOperation.Stat(FILE);
    private static final Operation<?> OPEN = new ReadOperation.Open(FILE);
    private static final Operation<?> LIST = new ReadOperation.ListPage(DIRECTORY, "", 100);

    private final SimulatedCluster cluster = new SimulatedCluster(23, 1);

    private Instance start(boolean caches) {
        cluster.cacheBytes = caches ? 16 << 20 : 0;
        Instance instance = cluster.start(0);
        cluster.setLatency(Duration.ofMillis(1));
        return instance;
    }

    private static FileOperation.Create create(String path) {
        return create(path, true);
    }

    private static FileOperation.Create create(String path, boolean parents) {
        byte[] content = "x".getBytes(StandardCharsets.UTF_8);
        return new FileOperation.Create(FsPath.of(path), 0644, false, parents, 1, 1 << 20, content, null);
    }

    private static void done(Reply reply) {
        assertThat(reply).isNotInstanceOf(Reply.Failure.class).isNotEqualTo(Reply.Done.NO);
    }

    private static int mode(Reply reply) {
        return ((Reply.Status) reply).attributes().mode();
    }

    private static List<String> names(Reply reply) {
        return ((Reply.Page) reply).entries().stream().map(Attributes::name).toList();
    }

    private long readsOf(Runnable calls) {
        long before = cluster.store.reads;
        calls.run();
        return cluster.store.reads - before;
    }

    @Test
    void shouldReadTheStoreForEveryAnswer() {
        Instance off = start(false);
        done(off.call(create("/d/f")));
        for (int i = 0; i < 3; i++) {
            for (Operation<?> read : List.of(STAT, OPEN, LIST)) {
                assertThat(readsOf(() -> assertThat(off.hits(read)).isFalse())).isPositive();
            }
        }
        assertThat(off.trie.stats().inodes() + off.trie.stats().listings()).isZero();
        assertThat(off.trie.walk(FILE).known()).isZero();
    }

    @Test
    void shouldReadAPathInOneMessageWhereItsDirectoriesAreWhatTheyWere() {
        Instance off = start(false);
        done(off.call(create("/a/b/c/f")));
        Operation<?> stat = new ReadOperation.Stat(FsPath.of("/a/b/c/f"));
        off.call(stat);
        assertThat(readsOf(() -> off.call(stat))).as("the path, then the file").isEqualTo(2);
    }

    @Test
    void shouldNotBelieveThatADirectoryIsWhatItWas() {
        Instance off = start(false);
        Instance other = start(false);
        done(off.call(create("/a/b/f")));
        done(off.call(new ReadOperation.Stat(FsPath.of("/a/b/f"))));

        done(other.call(new NamespaceOperation.Rename(FsPath.of("/a"), FsPath.of("/moved"), RenameMode.STRICT)));
        assertThat(notFound(off.call(new ReadOperation.Stat(FsPath.of("/a/b/f")))))
                .isTrue();
        done(off.call(new ReadOperation.Stat(FsPath.of("/moved/b/f"))));

        done(other.call(create("/a/b/g")));
        assertThat(notFound(off.call(new ReadOperation.Stat(FsPath.of("/a/b/f")))))
                .isTrue();
        done(off.call(new ReadOperation.Stat(FsPath.of("/a/b/g"))));

        done(other.call(new NamespaceOperation.Delete(FsPath.of("/a"), true)));
        done(other.call(new NamespaceOperation.Mkdirs(FsPath.of("/a"), 0755, false)));
        assertThat(notFound(off.call(create("/a/b/h", false)))).isTrue();
        done(off.call(create("/a/b/h")));
        cluster.advance(Duration.ofSeconds(5));
        cluster.wholeStore();
    }

    private static boolean notFound(Reply reply) {
        return reply instanceof Reply.Failure failure && failure.code() == ErrorCode.NOT_FOUND;
    }

    @Test
    void shouldSendNoRoundForSingleINodes() {
        List<Instance> all = List.of(start(false), start(false), start(false));
        Instance leader = all.get(0);
        done(leader.call(create("/d/f")));
        done(leader.call(new AttributeOperation.SetPermission(FILE, 0600)));
        done(leader.call(new NamespaceOperation.Rename(FILE, FsPath.of("/d/g"), RenameMode.STRICT)));
        done(leader.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/sub"), 0755, true)));
        done(leader.call(new NamespaceOperation.Delete(FsPath.of("/d/g"), false)));
        done(leader.call(new AttributeOperation.SetPermission(DIRECTORY, 0700)));
        for (Instance each : all) {
            assertThat(each.rounds).allMatch(targets -> targets == 0);
            assertThat(names(each.call(LIST))).containsExactly("sub");
            assertThat(mode(each.call(new ReadOperation.Stat(DIRECTORY)))).isEqualTo(0700);
        }
    }

    @Test
    void shouldTellTheInstanceThatCachesOfEveryWrite() {
        Instance caching = start(true);
        Instance off = start(false);
        done(caching.call(create("/d/f")));
        List.of(STAT, OPEN, LIST).forEach(caching::call);
        assertThat(caching.hits(STAT)).isTrue();

        done(off.call(new AttributeOperation.SetPermission(FILE, 0600)));
        assertThat(off.rounds).containsExactly(1);
        assertThat(mode(caching.call(STAT))).isEqualTo(0600);

        done(off.call(create("/d/g")));
        assertThat(names(caching.call(LIST))).containsExactly("f", "g");
        done(off.call(new AttributeOperation.SetPermission(DIRECTORY, 0700)));
        assertThat(mode(caching.call(new ReadOperation.Stat(DIRECTORY)))).isEqualTo(0700);
        done(off.call(new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/e"), RenameMode.STRICT)));
        assertThat(notFound(caching.call(STAT))).isTrue();
        done(caching.call(new ReadOperation.Stat(FsPath.of("/e/f"))));

        done(caching.call(new AttributeOperation.SetPermission(FsPath.of("/e/f"), 0640)));
        assertThat(caching.rounds).as("nobody else caches").allMatch(targets -> targets == 0);
        assertThat(mode(off.call(new ReadOperation.Stat(FsPath.of("/e/f"))))).isEqualTo(0640);
    }

    @Test
    void shouldLetWhatIsUnderWayThereEndBeforeADirectoryMoves() {
        Instance caching = start(true);
        Instance off = start(false);
        done(caching.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/sub"), 0755, true)));
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(
                mutations -> mutations.stream().anyMatch(m -> m.key().table().equals(Schema.INODES)));
        CompletableFuture<OperationReply> below =
                off.send(SimulatedCluster.ROOT, cluster.nextId(), create("/d/sub/new"));
        cluster.advance(Duration.ofMillis(20));
        CompletableFuture<OperationReply> move = caching.send(
                SimulatedCluster.ROOT,
                cluster.nextId(),
                new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/e"), RenameMode.STRICT));
        cluster.advance(Duration.ofMillis(200));
        assertThat(move).as("the move waits for the create below").isNotDone();
        gate.complete(null);
        done(cluster.await(below).reply());
        done(cluster.await(move).reply());
        done(off.call(new ReadOperation.Stat(FsPath.of("/e/sub/new"))));
        assertThat(notFound(off.call(new ReadOperation.Stat(FsPath.of("/d/sub/new")))))
                .isTrue();
    }

    @Test
    void shouldLetNobodyJoinWithACacheInTheMiddleOfAWrite() {
        Instance off = start(false);
        done(off.call(create("/d/f")));
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(
                mutations -> mutations.stream().anyMatch(m -> m.key().table().equals(Schema.INODES)));
        CompletableFuture<OperationReply> write = off.send(SimulatedCluster.ROOT, cluster.nextId(), create("/d/g"));
        cluster.advance(Duration.ofMillis(20));
        cluster.cacheBytes = 16 << 20;
        Instance newcomer = cluster.new Instance(0);
        CompletableFuture<Long> join = newcomer.nameNode.start().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(join).isNotDone();
        gate.complete(null);
        done(cluster.await(write).reply());
        cluster.await(join);
        assertThat(names(newcomer.call(LIST))).containsExactly("f", "g");
    }
}
