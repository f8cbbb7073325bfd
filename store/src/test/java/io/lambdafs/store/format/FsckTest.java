package io.lambdafs.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A small tree, and each of the ways in which it can be broken. */
class FsckTest {
    private static final long DIRECTORY = 1_001;
    private static final long FILE = 1_002;

    private final List<Row> rows = new ArrayList<>();
    private final INode directory = INode.directory(INode.ROOT_ID, "d", DIRECTORY, "root", "root", 0755, 1);
    private final INode file = new INode(
            DIRECTORY,
            "f",
            FILE,
            new INode.Traits(INode.Kind.FILE, "root", "root", 0644, 1, 1, INode.Content.INLINE),
            1,
            1,
            1,
            9);

    @BeforeEach
    void make() {
        rows.add(Rows.of(INode.directory(0, "", INode.ROOT_ID, "root", "root", 0755, 1)));
        rows.add(Rows.stats(INode.ROOT_ID, new DirectoryStats(1, 1)));
        rows.add(Rows.of(directory));
        rows.add(Rows.stats(DIRECTORY, new DirectoryStats(1, 1)));
        rows.add(Rows.of(file));
        rows.add(new Row(Rows.contentKey(FILE), (Object) new byte[] {1}));
    }

    private void remove(Key key) {
        assertThat(rows.removeIf(row -> row.key().equals(key))).isTrue();
    }

    private List<String> problems() {
        return Fsck.check(rows).problems();
    }

    @Test
    void shouldFindNothingInAWholeTree() {
        Fsck.Report report = Fsck.check(rows);
        assertThat(report.problems()).isEmpty();
        assertThat(report.unfinished()).isEmpty();
        assertThat(report.inodes()).isEqualTo(3);
    }

    @Test
    void shouldMissTheRoot() {
        remove(Rows.inodeKey(0, ""));
        assertThat(problems()).anyMatch(problem -> problem.contains("no root"));
    }

    @Test
    void shouldFindAnOrphan() {
        remove(Rows.inodeKey(INode.ROOT_ID, "d"));
        assertThat(problems()).anyMatch(problem -> problem.contains("its parent does not exist"));
    }

    @Test
    void shouldFindACycle() {
        remove(Rows.inodeKey(INode.ROOT_ID, "d"));
        rows.add(Rows.of(directory.withLocation(1_003, "d")));
        rows.add(Rows.of(INode.directory(DIRECTORY, "e", 1_003, "root", "root", 0755, 1)));
        assertThat(problems()).anyMatch(problem -> problem.contains("beyond reach"));
    }

    @Test
    void shouldFindAChildOfAFile() {
        rows.add(Rows.of(INode.directory(FILE, "below", 1_004, "root", "root", 0755, 1)));
        assertThat(problems()).anyMatch(problem -> problem.contains("its parent is a file"));
    }

    @Test
    void shouldFindTwoPlacesOfOneINode() {
        rows.add(Rows.of(file.withLocation(INode.ROOT_ID, "g")));
        assertThat(problems()).contains("INode 1002 (\"g\" in 1) and INode 1002 (\"f\" in 1001) are the same INode");
    }

    @Test
    void shouldFindAWrongCount() {
        remove(Rows.statsKey(DIRECTORY));
        rows.add(Rows.stats(DIRECTORY, new DirectoryStats(2, 1)));
        assertThat(problems()).singleElement().asString().contains("counts 2 children and has 1");
    }

    @Test
    void shouldFindWhatIsLeftOfADirectoryThatIsGone() {
        rows.add(Rows.stats(1_005, new DirectoryStats(0, 1)));
        assertThat(problems()).singleElement().asString().contains("1005, which is gone");
    }

    @Test
    void shouldFindContentsWithoutFileAndFilesWithoutContent() {
        remove(Rows.contentKey(FILE));
        rows.add(new Row(Schema.SMALL_FILES.key(FILE, 8L), (Object) new byte[] {1}));
        assertThat(problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("has lost its content"))
                .anyMatch(problem -> problem.contains("a content is left"));
    }

    @Test
    void shouldFindAMarkThatNobodyWillClear() {
        remove(Rows.inodeKey(INode.ROOT_ID, "d"));
        rows.add(Rows.of(directory.withMark(new INode.SubtreeMark(5, 6))));
        assertThat(problems()).singleElement().asString().contains("nobody will clear it");
    }

    @Test
    void shouldReportWhatIsUnderWayWithoutCallingItAProblem() {
        remove(Rows.inodeKey(INode.ROOT_ID, "d"));
        rows.add(Rows.of(directory.withMark(new INode.SubtreeMark(5, 6))));
        rows.add(new Row(Schema.SUBTREE_OPERATIONS.key(0L, "/d"), 5L, 6L, "change", INode.ROOT_ID, "d"));
        rows.add(Rows.of(INode.directory(INode.RECLAIM_ID, "1006", 1_006, "root", "root", 0755, 1)));
        Fsck.Report report = Fsck.check(rows);
        assertThat(report.problems()).isEmpty();
        assertThat(report.unfinished())
                .hasSize(2)
                .anyMatch(each -> each.contains("of epoch 6, which is dead"))
                .anyMatch(each -> each.contains("waits for reclaim"));
    }

    @Test
    void shouldReportAnOperationWhoseInstanceLives() {
        rows.add(new Row(Schema.SUBTREE_OPERATIONS.key(0L, "/d"), 5L, 6L, "change", INode.ROOT_ID, "d"));
        rows.add(new Row(Rows.instanceKey(6), 1L, "i", 1L));
        assertThat(Fsck.check(rows).unfinished()).containsExactly("subtree operation 5 on \"/d\" of epoch 6");
    }

    @Test
    void shouldFindAWrongLocation() {
        rows.add(Rows.location(directory));
        assertThat(problems()).isEmpty();
        remove(Rows.locationKey(DIRECTORY));
        rows.add(Rows.location(directory.withLocation(DIRECTORY, "e")));
        assertThat(problems()).singleElement().asString().contains("is said to be \"e\" in 1001");
    }

    @Test
    void shouldFindALocationOfWhatIsGoneOrClosed() {
        rows.add(Rows.location(file));
        rows.add(Rows.location(INode.directory(DIRECTORY, "gone", 1_007, "root", "root", 0755, 1)));
        assertThat(problems())
                .hasSize(2)
                .allMatch(problem -> problem.contains("which is gone or closed"))
                .anyMatch(problem -> problem.contains("the INode 1002,"))
                .anyMatch(problem -> problem.contains("the INode 1007,"));
    }

    @Test
    void shouldFindTotalsThatAreNotWhatIsThere() {
        rows.add(FormatLevel.NEWEST.row());
        assertThat(problems()).as("nobody says that they are exact").isEmpty();
        rows.add(TotalsState.EXACT);
        assertThat(problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("the directory 1 lack DirectoryTotals[files=1, directories=1,"))
                .anyMatch(
                        problem -> problem.contains("the directory 1001 lack DirectoryTotals[files=1, directories=0,"));
        rows.add(totals(INode.ROOT_ID, 1, 1, 1));
        rows.add(totals(DIRECTORY, 1, 0, 1));
        assertThat(problems()).isEmpty();
        rows.add(totals(1_009, 0, 0, 0));
        assertThat(problems()).singleElement().asString().contains("totals are left of the directory 1009");
    }

    private static Row totals(long directory, long files, long directories, long bytes) {
        return new Row(Rows.totalsKey(directory), files, directories, bytes, bytes);
    }

    @Test
    void shouldFindQuotasThatWritesDoNotSee() {
        rows.add(FormatLevel.NEWEST.row());
        rows.add(TotalsState.EXACT);
        rows.add(totals(INode.ROOT_ID, 1, 1, 1));
        rows.add(new Row(Rows.totalsKey(DIRECTORY), 1L, 0L, 1L, 1L, 9L, -1L));
        assertThat(problems()).singleElement().asString().contains("the directory 1001 has a quota that writes do not");
        remove(Rows.inodeKey(INode.ROOT_ID, "d"));
        rows.add(Rows.of(directory.withQuota(true)));
        assertThat(problems()).isEmpty();
        rows.add(Rows.of(file.withLocation(DIRECTORY, "g").withReserved(7)));
        assertThat(problems()).anyMatch(problem -> problem.contains("charged with a block that nobody writes"));
    }

    @Test
    void shouldFindSlotsThatNobodyWillSweep() {
        rows.add(new Row(Rows.slotKey("c-1", 0), 1L, new byte[0], 1L));
        assertThat(problems()).singleElement().asString().contains("session c-1 has slots");
        rows.add(new Row(Schema.CLIENTS.key(0L, "c-1"), 1L));
        assertThat(problems()).isEmpty();
    }
}
