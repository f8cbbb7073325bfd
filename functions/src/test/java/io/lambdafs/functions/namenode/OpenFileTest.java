package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests files that are moved, replaced or removed while they are being written, as in HDFS. */
class OpenFileTest {
    private static final Principal ALICE = new Principal("alice", List.of("users"));
    private static final Principal BOB = new Principal("bob", List.of("users"));

    private final SimulatedCluster cluster = new SimulatedCluster(11, 4);

    private static FsPath path(String text) {
        return FsPath.of(text);
    }

    @AfterEach
    void shouldLeaveNothingBehind() {
        cluster.call(new NamespaceOperation.Delete(path("/d"), true));
        cluster.call(new NamespaceOperation.Delete(path("/e"), true));
        cluster.advance(Duration.ofSeconds(20));
        cluster.wholeStore();
    }

    private OpenFile create(Principal who, String path, String content, boolean overwrite) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        FileOperation.Create create =
                new FileOperation.Create(path(path), 0644, overwrite, true, 3, 128 << 20, bytes, null);
        Reply reply = cluster.owner(create).call(who, create);
        assertThat(reply).isInstanceOf(Reply.Status.class);
        return ((Reply.Status) reply).file();
    }

    private OpenFile open(String path) {
        return create(SimulatedCluster.ROOT, path, "", false);
    }

    private Reply complete(Principal who, String path, OpenFile file) {
        FileOperation.Complete complete =
                new FileOperation.Complete(path(path), file, "written".getBytes(StandardCharsets.UTF_8));
        return cluster.owner(complete).call(who, complete);
    }

    private @Nullable ErrorCode complete(String path, OpenFile file) {
        return codeOf(complete(SimulatedCluster.ROOT, path, file));
    }

    private static @Nullable ErrorCode codeOf(Reply reply) {
        return reply instanceof Reply.Failure failure ? failure.code() : null;
    }

    private void rename(String from, String to) {
        assertThat(cluster.call(new NamespaceOperation.Rename(path(from), path(to), RenameMode.OVERWRITE)))
                .isEqualTo(Reply.Done.YES);
    }

    private String read(String path) {
        Reply reply = cluster.call(new ReadOperation.Open(path(path)));
        return reply instanceof Reply.Opened opened && opened.content() != null
                ? new String(opened.content(), StandardCharsets.UTF_8)
                : String.valueOf(codeOf(reply));
    }

    @Test
    void shouldKeepTheContentOfAFileThatWasMoved() {
        OpenFile file = open("/d/f");
        rename("/d/f", "/d/g");
        assertThat(read("/d/g")).isEmpty();
        assertThat(complete("/d/f", file)).isNull();
        assertThat(read("/d/g")).isEqualTo("written");
        assertThat(read("/d/f")).isEqualTo("NOT_FOUND");
    }

    @Test
    void shouldKeepTheContentOfAFileBelowADirectoryThatWasMoved() {
        OpenFile file = open("/d/a/b/f");
        cluster.call(new NamespaceOperation.Mkdirs(path("/e/x"), 0755, true));
        rename("/d/a", "/e/x/y");
        rename("/e/x", "/d/z");
        assertThat(complete("/d/a/b/f", file)).isNull();
        assertThat(read("/d/z/y/b/f")).isEqualTo("written");
    }

    @Test
    void shouldLeaveAloneWhatHasComeToTheOldPath() {
        OpenFile file = open("/d/f");
        rename("/d/f", "/e");
        OpenFile other = open("/d/f");
        assertThat(complete("/d/f", file)).isNull();
        assertThat(read("/d/f")).isEmpty();
        assertThat(read("/e")).isEqualTo("written");
        assertThat(complete("/d/f", other)).isNull();

        OpenFile below = open("/d/g");
        rename("/d/g", "/d/h");
        cluster.call(new NamespaceOperation.Mkdirs(path("/d/g"), 0755, true));
        assertThat(complete("/d/g", below)).isNull();
        assertThat(read("/d/h")).isEqualTo("written");
    }

    @Test
    void shouldFindAFileThatCameBack() {
        OpenFile file = open("/d/f");
        rename("/d/f", "/d/g");
        rename("/d/g", "/d/f");
        assertThat(complete("/d/f", file)).isNull();
        assertThat(read("/d/f")).isEqualTo("written");
        rename("/d/f", "/d/g");
        assertThat(complete("/d/f", file)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(complete("/d/g", file)).isEqualTo(ErrorCode.NOT_UNDER_CONSTRUCTION);
    }

    @Test
    void shouldRefuseAFileThatIsGone() {
        OpenFile deleted = open("/d/f");
        cluster.call(new NamespaceOperation.Delete(path("/d/f"), false));
        assertThat(complete("/d/f", deleted)).isEqualTo(ErrorCode.NOT_FOUND);

        OpenFile replaced = open("/d/f");
        OpenFile other = create(SimulatedCluster.ROOT, "/d/f", "", true);
        assertThat(complete("/d/f", replaced)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(complete("/d/f", other)).isNull();

        OpenFile overwritten = open("/d/g");
        rename("/d/f", "/d/g");
        assertThat(complete("/d/g", overwritten)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(read("/d/g")).isEqualTo("written");

        OpenFile moved = open("/d/sub/f");
        rename("/d/sub/f", "/d/sub/g");
        cluster.call(new NamespaceOperation.Delete(path("/d/sub"), true));
        assertThat(complete("/d/sub/f", moved)).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldLetItsOwnerEndWhateverRightsAreLeftOnTheWay() {
        cluster.call(new NamespaceOperation.Mkdirs(path("/d"), 0777, true));
        cluster.call(new AttributeOperation.SetPermission(path("/d"), 0777));
        OpenFile file = create(ALICE, "/d/f", "", false);
        cluster.call(new NamespaceOperation.Rename(path("/d"), path("/e"), RenameMode.STRICT));
        cluster.call(new AttributeOperation.SetPermission(path("/e"), 0700));
        cluster.call(new AttributeOperation.SetPermission(path("/e/f"), 0666));

        assertThat(codeOf(complete(BOB, "/d/f", file))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(codeOf(complete(ALICE, "/d/f", file))).isNull();
        assertThat(read("/e/f")).isEqualTo("written");
    }

    @Test
    void shouldFindAFileThatIsMovedWhileItsWriterEnds() {
        cluster.setLatency(Duration.ofMillis(2));
        cluster.call(new NamespaceOperation.Mkdirs(path("/d"), 0755, true));
        for (int i = 0; i < 20; i++) {
            OpenFile file = open("/d/a/f");
            FileOperation.Complete complete = new FileOperation.Complete(path("/d/a/f"), file, new byte[] {'w'});
            NamespaceOperation.Rename move = new NamespaceOperation.Rename(
                    path(i % 2 == 0 ? "/d/a/f" : "/d/a"), path("/d/b"), RenameMode.STRICT);
            var moved = cluster.owner(move).send(SimulatedCluster.ROOT, cluster.nextId(), move);
            cluster.advance(Duration.ofMillis(i));
            var completed = cluster.owner(complete).send(SimulatedCluster.ROOT, cluster.nextId(), complete);
            assertThat(codeOf(cluster.await(moved).reply())).isNull();
            assertThat(codeOf(cluster.await(completed).reply())).isNull();
            assertThat(read(i % 2 == 0 ? "/d/b" : "/d/b/f")).isEqualTo("w");
            cluster.call(new NamespaceOperation.Delete(path("/d/b"), true));
        }
    }
}
