package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.listing.PageBytes;
import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many directories that one request lists, each with an outcome of its own. */
class ListEachTest {
    private final SimulatedCluster cluster = new SimulatedCluster(31, 1);
    private final Instance asked = cluster.start(0);
    private final Instance other = cluster.start(0);

    private void create(FsPath path) {
        assertThat(other.call(new FileOperation.Create(path, 0644, false, true, 1, 1 << 20, new byte[0], null)))
                .isInstanceOf(Reply.Status.class);
    }

    private FsPath directory(String name, int files) {
        FsPath path = FsPath.of("/" + name);
        other.call(new NamespaceOperation.Mkdirs(path, 0755, true));
        IntStream.range(0, files).forEach(i -> create(path.child("f" + i)));
        return path;
    }

    private List<Reply> listed(List<FsPath> paths, int limit) {
        return ((Reply.Outcomes) asked.call(new ReadOperation.ListEach(paths, limit))).outcomes();
    }

    private static List<String> names(Reply reply) {
        return ((Reply.Page) reply).entries().stream().map(Attributes::name).toList();
    }

    @Test
    void shouldAnswerForEachAsForItAlone() {
        List<FsPath> paths = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            paths.add(directory("d" + i, i % 4));
        }
        directory("d7/below", 1);
        paths.set(11, FsPath.of("/missing"));
        paths.set(12, FsPath.of("/d1/f0"));
        paths.set(13, FsPath.of("/d1/f0/below"));

        for (int round = 0; round < 2; round++) {
            List<Reply> outcomes = listed(paths, 1_000);

            assertThat(outcomes).hasSize(40);
            assertThat(BlockFileCase.codeOf(outcomes.get(11))).isEqualTo(ErrorCode.NOT_FOUND);
            assertThat(names(outcomes.get(12))).containsExactly("f0");
            assertThat(names(outcomes.get(7))).containsExactly("below", "f0", "f1", "f2");
            for (int i = 0; i < 40; i++) {
                assertThat(outcomes.get(i)).isEqualTo(asked.call(new ReadOperation.ListPage(paths.get(i), "", 1_000)));
            }
        }
    }

    @Test
    void shouldAnswerFromTheCacheUntilOneOfThemChanges() {
        List<FsPath> paths = List.of(directory("a", 2), directory("b", 2), directory("c", 2));
        ReadOperation.ListEach operation = new ReadOperation.ListEach(paths, 100);
        listed(paths, 100);
        assertThat(asked.hits(operation)).isTrue();

        create(FsPath.of("/b/g"));

        assertThat(asked.hits(operation)).isFalse();
        assertThat(names(listed(paths, 100).get(1))).containsExactly("f0", "f1", "g");
        assertThat(asked.hits(operation)).isTrue();
        other.call(new NamespaceOperation.Rename(FsPath.of("/c"), FsPath.of("/elsewhere"), RenameMode.STRICT));
        assertThat(BlockFileCase.codeOf(listed(paths, 100).get(2))).isEqualTo(ErrorCode.NOT_FOUND);
        other.call(new AttributeOperation.SetPermission(FsPath.of("/a/f0"), 0600));
        Attributes first = ((Reply.Page) listed(paths, 100).get(0)).entries().get(0);
        assertThat(first.mode()).isEqualTo(0600);
    }

    @Test
    void shouldAnswerForThoseWhoseEntriesFit() {
        List<FsPath> paths = List.of(directory("a", 4), directory("b", 4), directory("c", 4), directory("d", 0));

        for (int round = 0; round < 2; round++) {
            assertThat(listed(paths, 12)).hasSize(4);
            assertThat(listed(paths, 11)).hasSize(2);
            assertThat(listed(paths, 4)).hasSize(1);
            List<Reply> part = listed(paths, 3);
            assertThat(part).hasSize(1);
            assertThat(names(part.get(0))).containsExactly("f0", "f1", "f2");
            assertThat(((Reply.Page) part.get(0)).more()).isTrue();
        }
    }

    @Test
    void shouldKeepTheReplyWithinTheBytesOfAPage() {
        List<FsPath> paths = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            paths.add(directory("d" + i, 0));
            for (int j = 0; j < 400; j++) {
                create(paths.get(i).child("n".repeat(240) + j));
            }
        }

        for (int round = 0; round < 2; round++) {
            List<Reply> outcomes = listed(paths, 10_000);

            assertThat(outcomes.stream().mapToInt(PageBytes::of).sum()).isBetween(PageBytes.MAX * 3 / 4, PageBytes.MAX);
            assertThat(outcomes).allSatisfy(each -> assertThat(names(each)).hasSize(400));
        }
    }

    @Test
    void shouldRefuseWhatTheCallerMayNotList() {
        List<FsPath> paths = List.of(directory("open", 1), directory("closed", 1));
        other.call(new AttributeOperation.SetPermission(FsPath.of("/closed"), 0700));
        ReadOperation.ListEach operation = new ReadOperation.ListEach(paths, 100);
        listed(paths, 100);

        Reply reply = cluster.await(asked.send(BlockFileCase.OTHER, cluster.nextId(), operation))
                .reply();

        List<Reply> outcomes = ((Reply.Outcomes) reply).outcomes();
        assertThat(names(outcomes.get(0))).containsExactly("f0");
        assertThat(BlockFileCase.codeOf(outcomes.get(1))).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }
}
