package io.lambdafs.store.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreeTotalsTest {
    private static final FsPath A = FsPath.of("/a");
    private static final FsPath AB = FsPath.of("/a/b");

    private final List<Row> rows = new ArrayList<>();

    TreeTotalsTest() {
        directory(0, "", INode.ROOT_ID);
        // Rows lie in the order of their parents' ids: a directory that has moved may come after what it contains.
        directory(12, "b", 11);
        file(11, "f", 21, 10, 3);
        file(11, "g", 22, 5, 1);
        directory(INode.ROOT_ID, "a", 12);
        directory(INode.ROOT_ID, "ab", 13);
        file(12, "h", 23, 100, 2);
        file(INode.ROOT_ID, "i", 24, 1, 0);
    }

    private void directory(long parent, String name, long id) {
        rows.add(Rows.of(INode.directory(parent, name, id, "root", "root", 0755, 1)));
    }

    private void file(long parent, String name, long id, long size, int replication) {
        INode.Traits traits =
                new INode.Traits(INode.Kind.FILE, "root", "root", 0644, replication, 1, INode.Content.BLOCKS);
        rows.add(Rows.of(new INode(parent, name, id, traits, size, 1, 1, 1)));
    }

    private Map<FsPath, DirectoryTotals> below(String top, int depth) {
        return new TreeTotals(rows).below(FsPath.of(top), depth);
    }

    @Test
    void shouldSumUpADirectoryWithEverythingBelowIt() {
        assertThat(below("/", 0)).containsExactly(Map.entry(FsPath.ROOT, new DirectoryTotals(4, 4, 116, 236)));
        assertThat(below("/a", 0)).containsExactly(Map.entry(A, new DirectoryTotals(3, 2, 115, 235)));
        assertThat(below("/a/b", 5)).containsExactly(Map.entry(AB, new DirectoryTotals(2, 1, 15, 35)));
    }

    @Test
    void shouldShowDirectoriesDownToADepth() {
        assertThat(below("/", 1).keySet()).containsExactly(FsPath.ROOT, A, FsPath.of("/ab"));
        assertThat(below("/", Integer.MAX_VALUE))
                .containsEntry(A, new DirectoryTotals(3, 2, 115, 235))
                .containsEntry(AB, new DirectoryTotals(2, 1, 15, 35))
                .containsEntry(FsPath.of("/ab"), new DirectoryTotals(0, 1, 0, 0))
                .hasSize(4);
    }

    @Test
    void shouldNotCountWhatIsDetached() {
        rows.add(Rows.detached(INode.directory(INode.ROOT_ID, "gone", 30, "root", "root", 0755, 1)));
        file(30, "x", 31, 7, 1);
        directory(99, "orphan", 40);
        directory(51, "round", 50);
        directory(50, "and round", 51);
        assertThat(below("/", 0)).containsExactly(Map.entry(FsPath.ROOT, new DirectoryTotals(4, 4, 116, 236)));
    }

    @Test
    void shouldStayAtTheLargestNumberAndCountNoNegativeLength() {
        file(13, "negative", 59, Long.MIN_VALUE, 1);
        file(13, "made up", 60, Long.MAX_VALUE / 2, 3);
        assertThat(below("/ab", 0).values())
                .containsExactly(new DirectoryTotals(2, 1, Long.MAX_VALUE / 2, Long.MAX_VALUE));
        file(13, "another", 61, Long.MAX_VALUE - 1, 1);
        assertThat(below("/", 0).values()).containsExactly(new DirectoryTotals(7, 4, Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Test
    void shouldMissADirectory() {
        for (String absent : List.of("/c", "/a/f", "/a/b/f")) {
            assertThatThrownBy(() -> below(absent, 0))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
                    .hasMessageContaining(absent);
        }
    }

    @Test
    void shouldSumUpATreeWhoseNamesMakeLongerPathsThanAnyRequestMayHave() {
        long parent = 13;
        for (long id = 100; id < 150; id++) {
            directory(parent, "n".repeat(250), id);
            parent = id;
        }
        assertThat(below("/ab", 0).values()).containsExactly(new DirectoryTotals(0, 51, 0, 0));
    }

    @Test
    void shouldReadNothingThatFollowsTheINodes() {
        rows.add(new Row(Rows.contentKey(21), (Object) new byte[1]));
        int[] read = {0};
        Iterable<Row> counted = () -> {
            Iterator<Row> all = rows.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return all.hasNext();
                }

                @Override
                public Row next() {
                    read[0]++;
                    return all.next();
                }
            };
        };
        int before = rows.size();
        rows.add(new Row(Rows.contentKey(22), (Object) new byte[1]));
        new TreeTotals(counted).below(FsPath.ROOT, 0);
        assertThat(read[0]).isEqualTo(before);
    }
}
