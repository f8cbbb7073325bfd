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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An instance that is asked for paths of another deployment, as clients do in anti-thrashing mode, answers what the owner would. */
class StrangerTest {
    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final FsPath OTHER = FsPath.of("/d/g");
    private static final Operation<?> STAT = new ReadOperation.Stat(FILE);
    private static final Operation<?> OPEN = new ReadOperation.Open(FILE);
    private static final Operation<?> LIST = new ReadOperation.ListPage(DIRECTORY, "", 100);

    private final SimulatedCluster cluster = new SimulatedCluster(11, 2);
    private Instance owner;
    private Instance stranger;

    @BeforeEach
    void start() {
        int deployment = cluster.placement.owner(FILE);
        owner = cluster.start(deployment);
        stranger = cluster.start(1 - deployment);
        cluster.setLatency(Duration.ofMillis(1));
        assertThat(owner.call(create(FILE))).isInstanceOf(Reply.Status.class);
        List.of(STAT, OPEN, LIST).forEach(owner::call);
        List.of(STAT, OPEN, LIST)
                .forEach(read ->
                        assertThat(owner.hits(read)).as("cached by the owner").isTrue());
    }

    private static FileOperation.Create create(FsPath path) {
        return new FileOperation.Create(
                path, 0644, false, true, 1, 1 << 20, "x".getBytes(StandardCharsets.UTF_8), null);
    }

    private int modeAt(Instance instance) {
        return ((Reply.Status) instance.call(STAT)).attributes().mode();
    }

    private List<String> namesAt(Instance instance) {
        return ((Reply.Page) instance.call(LIST))
                .entries().stream().map(Attributes::name).toList();
    }

    @Test
    void shouldAnswerReadsFromTheStoreAndCacheLinksOnly() {
        for (int i = 0; i < 3; i++) {
            for (Operation<?> read : List.of(STAT, OPEN, LIST)) {
                assertThat(stranger.hits(read)).isFalse();
            }
            assertThat(stranger.call(STAT)).isEqualTo(owner.call(STAT));
            assertThat(((Reply.Opened) stranger.call(OPEN)).content()).isEqualTo(new byte[] {'x'});
            assertThat(namesAt(stranger)).containsExactly("f");
        }
        assertThat(stranger.trie.walk(FILE).isComplete()).as("no entry").isFalse();
        assertThat(stranger.trie.walk(DIRECTORY).isComplete()).as("a link").isTrue();
        assertThat(stranger.trie.walk(DIRECTORY).listing()).isNull();
        assertThat(stranger.trie.stats().contents()).isZero();
    }

    @Test
    void shouldSeeEveryWriteOfTheOwner() {
        List.of(STAT, OPEN, LIST).forEach(stranger::call);

        owner.call(new AttributeOperation.SetPermission(FILE, 0600));
        assertThat(modeAt(stranger)).isEqualTo(0600);

        assertThat(stranger.call(new ReadOperation.Stat(OTHER))).isInstanceOf(Reply.Failure.class);
        owner.call(create(OTHER));
        assertThat(stranger.call(new ReadOperation.Stat(OTHER))).isInstanceOf(Reply.Status.class);
        assertThat(namesAt(stranger)).containsExactly("f", "g");

        owner.call(new AttributeOperation.SetPermission(DIRECTORY, 0700));
        owner.call(new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/e"), RenameMode.STRICT));
        assertThat(stranger.call(STAT))
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void shouldWriteWhatTheOwnerHasCached() {
        assertThat(stranger.call(new AttributeOperation.SetPermission(FILE, 0600)))
                .isEqualTo(Reply.Done.YES);
        assertThat(modeAt(owner)).isEqualTo(0600);

        assertThat(stranger.call(create(OTHER))).isInstanceOf(Reply.Status.class);
        assertThat(namesAt(owner)).containsExactly("f", "g");

        assertThat(stranger.call(new NamespaceOperation.Rename(OTHER, FsPath.of("/d/h"), RenameMode.STRICT)))
                .isEqualTo(Reply.Done.YES);
        assertThat(stranger.call(new NamespaceOperation.Delete(FILE, false))).isEqualTo(Reply.Done.YES);
        assertThat(namesAt(owner)).containsExactly("h");
        assertThat(namesAt(stranger)).containsExactly("h");

        assertThat(stranger.call(new NamespaceOperation.Delete(DIRECTORY, true)))
                .isEqualTo(Reply.Done.YES);
        assertThat(owner.call(LIST)).isInstanceOf(Reply.Failure.class);
        cluster.advance(Duration.ofSeconds(5));
        cluster.wholeStore();
    }
}
