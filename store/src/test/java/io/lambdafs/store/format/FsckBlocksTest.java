package io.lambdafs.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.block.WriterLease;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file whose bytes are in blocks, and each of the ways in which its rows can contradict each other. */
class FsckBlocksTest {
    private static final long FILE = 1_002;

    private final List<Row> rows = new ArrayList<>();

    @BeforeEach
    void make() {
        rows.add(Rows.of(INode.directory(0, "", INode.ROOT_ID, "root", "root", 0755, 1)));
        rows.add(Rows.stats(INode.ROOT_ID, new DirectoryStats(1, 1)));
        rows.add(Rows.of(file(INode.Content.NONE, 0, 0)));
    }

    private void remove(Key key) {
        assertThat(rows.removeIf(row -> row.key().equals(key))).isTrue();
    }

    private List<String> problems() {
        return Fsck.check(rows).problems();
    }

    private static INode file(INode.Content content, long size, long contentId) {
        INode.Traits traits = new INode.Traits(INode.Kind.FILE, "root", "root", 0644, 1, 1, content);
        return new INode(INode.ROOT_ID, "f", FILE, traits, size, 1, 1, contentId);
    }

    private INode replaceFile(INode.Content content, long size, long contentId) {
        remove(Rows.inodeKey(INode.ROOT_ID, "f"));
        INode replaced = file(content, size, contentId);
        rows.add(Rows.of(replaced));
        return replaced;
    }

    @Test
    void shouldAllowALocationOfAFileThatIsNotClosed() {
        INode open = replaceFile(INode.Content.NONE, 0, 0);
        rows.add(Rows.location(open));
        assertThat(problems()).isEmpty();
        replaceFile(INode.Content.WRITING, 0, 3);
        rows.add(new WriterLease(FILE, "ann", 3, 1).row());
        assertThat(problems()).isEmpty();
    }

    private void block(long file, int index, long length, StoredBlock.State state) {
        rows.add(new StoredBlock(file, index, new Block(50 + index, 1, length, 7), "s", "k" + index, state).row());
    }

    /** A closed file of 5 bytes in two blocks, whose rows come in no order. */
    private void inBlocks() {
        replaceFile(INode.Content.BLOCKS, 5, 3);
        block(FILE, 1, 2, StoredBlock.State.WRITTEN);
        block(FILE, 0, 3, StoredBlock.State.WRITTEN);
    }

    @Test
    void shouldFindNothingInAFileOfBlocks() {
        inBlocks();
        assertThat(problems()).isEmpty();
    }

    @Test
    void shouldFindALostBlock() {
        inBlocks();
        remove(StoredBlock.key(FILE, 0));
        assertThat(problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("has lost its block 0"))
                .anyMatch(problem -> problem.contains("has 2 bytes in blocks, and counts 5"));
    }

    @Test
    void shouldFindABlockThatWasNotWrittenInAClosedFile() {
        inBlocks();
        block(FILE, 2, 9, StoredBlock.State.ALLOCATED);
        assertThat(problems()).singleElement().asString().contains("has lost its block 2");
    }

    @Test
    void shouldAllowTheLastBlockOfAFileThatIsWrittenToBeUnderWay() {
        replaceFile(INode.Content.WRITING, 3, 3);
        rows.add(new WriterLease(FILE, "ann", 3, 1).row());
        block(FILE, 0, 3, StoredBlock.State.WRITTEN);
        block(FILE, 1, 9, StoredBlock.State.ALLOCATED);
        assertThat(problems()).isEmpty();

        block(FILE, 2, 9, StoredBlock.State.ALLOCATED);
        assertThat(problems()).singleElement().asString().contains("has lost its block 1");
    }

    @Test
    void shouldFindAFileThatIsWrittenUnderNoLeaseOrAnothers() {
        replaceFile(INode.Content.WRITING, 0, 3);
        assertThat(problems()).singleElement().asString().contains("is written under no lease");
        rows.add(new WriterLease(FILE, "ann", 2, 1).row());
        assertThat(problems()).singleElement().asString().contains("is written under no lease");
    }

    @Test
    void shouldReportAFileThatIsListedAsBeingWrittenAndIsNot() {
        INode file = replaceFile(INode.Content.WRITING, 0, 3);
        rows.add(Rows.written(file));
        rows.add(new WriterLease(FILE, "ann", 3, 1).row());
        assertThat(Fsck.check(rows).unfinished()).isEmpty();

        remove(WriterLease.key(FILE));
        assertThat(Fsck.check(rows).unfinished())
                .containsExactly("the file 1002 is listed as being written, and is not");
    }

    @Test
    void shouldFindALeaseOfAFileThatIsClosedOrGone() {
        rows.add(new WriterLease(FILE, "ann", 9, 1).row());
        rows.add(new WriterLease(1_009, "ann", 9, 1).row());
        assertThat(problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("is closed and has a writer's lease"))
                .anyMatch(problem -> problem.contains("lease is left of the file 1009, which is gone"));
    }

    @Test
    void shouldFindBlocksOfAFileThatIsGoneOrHasAnotherContent() {
        block(FILE, 0, 1, StoredBlock.State.WRITTEN);
        block(1_010, 0, 1, StoredBlock.State.WRITTEN);
        assertThat(problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("blocks are left of the file 1002,"))
                .anyMatch(problem -> problem.contains("blocks are left of the file 1010,"));
    }

    @Test
    void shouldReportBlocksOfADetachedFileUnlessItIsStillThere() {
        block(1_010, 0, 1, StoredBlock.State.WRITTEN);
        rows.add(new Row(Schema.DETACHED_FILES.key(0L, 1_010L), 3L));
        Fsck.Report report = Fsck.check(rows);
        assertThat(report.problems()).isEmpty();
        assertThat(report.unfinished()).containsExactly("the blocks of the file 1010 wait for reclaim");

        inBlocks();
        rows.add(new Row(Schema.DETACHED_FILES.key(0L, FILE), 3L));
        assertThat(problems()).singleElement().asString().contains("blocks are left of the file 1002,");
    }

    /** A file of one byte kept with the metadata, which an append has begun to lift into blocks. */
    private void appendedTo() {
        replaceFile(INode.Content.WRITING, 1, 3);
        rows.add(new WriterLease(FILE, "ann", 3, 1).row());
        rows.add(new Row(Rows.contentKey(FILE), (Object) new byte[] {1}));
        block(FILE, 0, 9, StoredBlock.State.ALLOCATED);
    }

    @Test
    void shouldAllowAContentThatTheFirstBlockWillTakeIn() {
        appendedTo();
        assertThat(problems()).isEmpty();
    }

    @Test
    void shouldFindAContentThatTheFirstBlockHasTakenIn() {
        appendedTo();
        remove(StoredBlock.key(FILE, 0));
        block(FILE, 0, 1, StoredBlock.State.WRITTEN);
        assertThat(problems()).singleElement().asString().contains("a content is left of the file 1002");
    }

    @Test
    void shouldFindAContentOfAFileThatHasNone() {
        appendedTo();
        replaceFile(INode.Content.WRITING, 0, 3);
        assertThat(problems()).singleElement().asString().contains("a content is left of the file 1002");
    }

    @Test
    void shouldMissTheBytesOfAContentThatIsGoneOrIsNotTheOneToTakeIn() {
        appendedTo();
        remove(Rows.contentKey(FILE));
        assertThat(problems()).singleElement().asString().contains("has 0 bytes in blocks, and counts 1");
        rows.add(new Row(Schema.SMALL_FILES.key(FILE, 8L), (Object) new byte[] {1}));
        assertThat(problems()).hasSize(2).anyMatch(problem -> problem.contains("a content is left of the file 1002"));
    }
}
