package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.housekeeping.ChangeTrimmer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.NamespaceOperation.Rename;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Upgrade;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the change log of a cluster's operations. */
class ChangeLogTest {
    private static final int KEPT = 1_000;
    private static final Principal ANN = new Principal("ann", List.of("staff"));

    private final SimulatedCluster cluster = new SimulatedCluster(4, 2);

    @BeforeEach
    void switchOn() {
        cluster.settings = settings(KEPT);
    }

    private static NameNodeSettings settings(int entries) {
        return new NameNodeSettings("root", Times.DEFAULT, 64 << 10, 20_000, NameNodeSettings.Reclaim.DEFAULT, entries);
    }

    private static FsPath path(String path) {
        return FsPath.of(path);
    }

    private static FileOperation.Create create(String path, byte[] content) {
        return new FileOperation.Create(path(path), 0644, true, true, 1, 100, content, null);
    }

    private Reply done(Operation<?> operation) {
        Reply reply = cluster.call(operation);
        assertThat(reply).as("%s", operation).isNotInstanceOf(Reply.Failure.class);
        return reply;
    }

    private List<ChangeLog.Entry> changes(long after) {
        return cluster.await(cluster.engine.changes(after, 10_000));
    }

    /** Returns the new changes, in words: kind, path, destination, and how many INodes it concerns. */
    private List<String> news(long after) {
        return changes(after).stream()
                .map(entry -> entry.change().event())
                .map(event -> event.kind()
                        + (event.directory() ? " dir " : " ")
                        + event.path()
                        + (event.destination() == null ? "" : " to " + event.destination())
                        + (event.replaced() == 0 ? "" : " replacing"))
                .toList();
    }

    @Test
    void shouldTellEveryChangeOnceAndNothingElse() {
        done(create("/a/b/f", new byte[0]));
        done(create("/a/b/g", new byte[] {1}));
        done(create("/a/b/g", new byte[0]));
        done(new NamespaceOperation.Mkdirs(path("/c/d"), 0755, true));
        done(new NamespaceOperation.Mkdirs(path("/c/d"), 0755, true));
        done(new Rename(path("/a/b/f"), path("/a/b/g"), RenameMode.OVERWRITE));
        done(new Rename(path("/a/b"), path("/c/d"), RenameMode.INTO));
        done(new AttributeOperation.SetPermission(path("/c/d/b/g"), 0600));
        done(new AttributeOperation.SetTimes(path("/c"), 5, 5));
        done(new NamespaceOperation.Delete(path("/c/d/b/g"), false));
        done(new NamespaceOperation.Delete(path("/c/d/b/g"), false));
        done(new NamespaceOperation.Delete(path("/c"), true));
        assertThat(cluster.call(new NamespaceOperation.Delete(FsPath.ROOT, true)))
                .isInstanceOf(Reply.Failure.class);

        assertThat(news(ChangeLog.START))
                .containsExactly(
                        "MKDIR dir /a",
                        "MKDIR dir /a/b",
                        "CREATE /a/b/f",
                        "CREATE /a/b/g",
                        "CLOSE /a/b/g",
                        "CREATE /a/b/g replacing",
                        "MKDIR dir /c",
                        "MKDIR dir /c/d",
                        "RENAME /a/b/f to /a/b/g replacing",
                        "RENAME dir /a/b to /c/d/b",
                        "ATTRIBUTES /c/d/b/g",
                        "ATTRIBUTES dir /c",
                        "DELETE /c/d/b/g",
                        "DELETE dir /c");
    }

    @Test
    void shouldTellOfAnOpenFileWhereItIs() {
        OpenFile file = ((Reply.Status) done(create("/a/f", new byte[0]))).file();
        done(new Rename(path("/a"), path("/z"), RenameMode.STRICT));
        done(new FileOperation.Complete(path("/a/f"), file, new byte[] {1}));
        done(new BlockOperation.Truncate(path("/z/f"), 0));
        done(new BlockOperation.TakeLease(path("/z/f"), false));

        assertThat(news(2)).containsExactly("RENAME dir /a to /z", "CLOSE /z/f", "TRUNCATE /z/f", "REOPEN /z/f");
        assertThat(changes(2))
                .extracting(entry -> entry.change().event().inode())
                .contains(file.id());
    }

    @Test
    void shouldSayAtWhoseRequestAndTellARepetitionOnce() {
        done(new AttributeOperation.SetPermission(FsPath.ROOT, 0777));
        Operation<?> mkdir = new NamespaceOperation.Mkdirs(path("/m"), 0755, true);
        RequestId id = cluster.nextId();
        cluster.await(cluster.owner(mkdir).send(ANN, id, mkdir));
        cluster.await(cluster.owner(mkdir).send(ANN, id, mkdir));

        assertThat(changes(1)).singleElement().satisfies(entry -> {
            assertThat(entry.position()).isEqualTo(2);
            assertThat(entry.change().origin().user()).isEqualTo("ann");
            assertThat(entry.change().origin().request()).isEqualTo(id);
            assertThat(entry.change().origin().atMillis()).isEqualTo(cluster.scheduler.currentTimeMillis());
        });
    }

    /** The first write finds out that there is a log; from then on nothing is read that is not read without one. */
    @Test
    void shouldReadNoMoreThanWithoutALog() {
        assertThat(readsOfAThirdCreate(KEPT)).isEqualTo(readsOfAThirdCreate(0));
    }

    private static long readsOfAThirdCreate(int entries) {
        SimulatedCluster cluster = new SimulatedCluster(4, 2);
        cluster.settings = settings(entries);
        cluster.call(create("/a/first", new byte[0]));
        cluster.call(create("/a/second", new byte[0]));
        long before = cluster.store.reads;
        cluster.call(create("/a/third", new byte[0]));
        return cluster.store.reads - before;
    }

    @Test
    void shouldBeginWhenTheFormatLevelIsRaised() {
        cluster.await(
                cluster.store.begin(0).commit(List.of(new Mutation.Put(FormatLevel.FIRST.row())), Long.MAX_VALUE));
        done(create("/a/f", new byte[0]));
        assertThat(cluster.rows()).extracting(row -> row.key().table()).doesNotContain(Schema.CHANGES);

        cluster.await(Upgrade.raise(cluster.store));
        done(create("/a/g", new byte[0]));
        done(create("/a/h", new byte[0]));

        assertThat(news(ChangeLog.START)).containsExactly("CREATE /a/g", "CREATE /a/h");
    }

    @Test
    void shouldTellNothingUnlessSwitchedOn() {
        cluster.settings = settings(0);
        done(create("/a/f", new byte[0]));
        assertThat(changes(ChangeLog.START)).isEmpty();
    }

    @Test
    void shouldKeepTheNewestEntriesAndSayWhatIsGone() {
        for (int i = 0; i < 30; i++) {
            done(create("/a/f" + i, new byte[0]));
        }
        SimulatedCluster.Instance leader = cluster.instances.get(0);
        cluster.await(new ChangeTrimmer(cluster.store, cluster.scheduler, leader.nameNode::epoch, 10).run());

        CompletableFuture<List<ChangeLog.Entry>> late =
                cluster.engine.changes(20, 10).toCompletableFuture();
        Assertions.assertThatThrownBy(() -> cluster.await(late))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
                .hasMessageContaining("begins after position 21");
        assertThat(news(21)).hasSize(10).first().isEqualTo("CREATE /a/f20");
        assertThat(cluster.rows())
                .filteredOn(row -> row.key().table().equals(Schema.CHANGES))
                .hasSize(10);
    }
}
