package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.block.WriterLease;
import io.lambdafs.store.engine.Deltas;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowsTest {
    private static final int CONTENT = 10;

    private static INode file(INode.Content content) {
        INode.Traits traits = new INode.Traits(INode.Kind.FILE, "ann", "staff", 0644, 3, 1 << 20, content);
        return new INode(1, "f", 7, traits, 0, 5, 6, 0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatItWrote(INode.Content content) {
        assertThat(Rows.inode(Rows.of(file(content)))).isEqualTo(file(content));
    }

    @Test
    void shouldReadTheMarkThatItWrote() {
        INode marked = file(INode.Content.INLINE).withMark(new INode.SubtreeMark(4, 5));

        assertThat(Rows.inode(Rows.of(marked))).isEqualTo(marked);
    }

    @Test
    void shouldReadAFileWhoseWriterHadNotClosedItAsEmpty() {
        Row row = Rows.of(file(INode.Content.NONE));
        Object[] values = row.values();
        values[CONTENT] = 2L;

        assertThat(Rows.inode(new Row(row.key(), values))).isEqualTo(file(INode.Content.NONE));
    }

    @Test
    void shouldSayThatANumberMeansNothing() {
        for (long kind : new long[] {-1, INode.Kind.values().length}) {
            Object[] values = Rows.of(file(INode.Content.NONE)).values();
            values[1] = kind;
            assertDamaged(() -> Rows.inode(new Row(Rows.inodeKey(1, "f"), values)), kind + " in column 1");
        }
        Object[] block = block().row().values();
        block[6] = 3L;
        assertDamaged(() -> StoredBlock.of(new Row(StoredBlock.key(7, 2), block)), "says state 3");
    }

    private static void assertDamaged(Runnable read, String why) {
        assertThatThrownBy(read::run)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessageContaining(why);
    }

    private static StoredBlock block() {
        return new StoredBlock(7, 2, new Block(11, 3, 64, -5), "store", "key", StoredBlock.State.ALLOCATED);
    }

    @Test
    void shouldReadTheBlockAndTheLeaseThatItWrote() {
        StoredBlock block = block();
        StoredBlock written = block.written(new Block(11, 3, 60, 8));
        WriterLease lease = new WriterLease(7, "ann", 3, 99);

        assertThat(StoredBlock.of(block.row())).isEqualTo(block);
        assertThat(StoredBlock.of(written.row())).isEqualTo(written);
        assertThat(written)
                .isEqualTo(new StoredBlock(7, 2, new Block(11, 3, 60, 8), "store", "key", StoredBlock.State.WRITTEN));
        assertThat(block.invalid(50)).isEqualTo(new Row(Schema.INVALID_BLOCKS.key("store", "key"), 50L));
        assertThat(WriterLease.of(lease.row())).isEqualTo(lease);
        assertThat(lease.row().key()).isEqualTo(Schema.WRITER_LEASES.key(7L));
    }

    @Test
    void shouldShowNoMoreOfABlockThanItWasCutTo() {
        StoredBlock whole = block().written(new Block(11, 3, 60, 8));

        assertThat(whole.shownBlock()).isEqualTo(whole.block());
        assertThat(whole.row().int64(7)).as("all of it, as in rows of before").isEqualTo(-1);
        for (long length : new long[] {40, 0}) {
            StoredBlock cut = whole.cut(length);
            assertThat(StoredBlock.of(cut.row())).isEqualTo(cut);
            assertThat(cut.block()).isEqualTo(whole.block());
            assertThat(cut.shownBlock())
                    .as("of which nobody knows the checksum")
                    .isEqualTo(new Block(11, 3, length, 0));
        }
    }

    @Test
    void shouldStayTheSameBlockInAnotherFile() {
        StoredBlock cut = block().written(new Block(11, 3, 60, 8)).cut(40);

        assertThat(cut.movedTo(9, 0))
                .isEqualTo(new StoredBlock(9, 0, cut.block(), "store", "key", StoredBlock.State.WRITTEN, 40));
    }

    @Test
    void shouldKeepWhatBelongsToAnINodeUnderItsId() {
        INode file = file(INode.Content.BLOCKS);

        assertThat(Rows.location(file)).isEqualTo(new Row(Schema.LOCATIONS.key(7L), 1L, "f"));
        assertThat(Rows.detachedFile(file)).isEqualTo(new Row(Schema.DETACHED_FILES.key(0L, 7L), file.contentId()));
        assertThat(Rows.contentKey(7)).isEqualTo(Schema.SMALL_FILES.key(7L, INode.INLINE_CONTENT));
        assertThat(Rows.slotKey("c", 3)).isEqualTo(Schema.SLOTS.key("c", 3L));
    }

    @Test
    void shouldDetachADirectoryFromItsPathAndItsMark() {
        INode directory = INode.directory(1, "d", 8, "ann", "staff", 0755, 4).withMark(new INode.SubtreeMark(4, 5));

        assertThat(Rows.inode(Rows.detached(directory)))
                .isEqualTo(INode.directory(INode.RECLAIM_ID, "8", 8, "ann", "staff", 0755, 4));
    }

    @Test
    void shouldAddChildrenAndNeverTurnTheClockBack() {
        Row before = new Row(Rows.statsKey(8), 5L, 100L);

        assertThat(Deltas.apply(before, (Mutation.Merge) Rows.childrenChanged(8, 1, 200)))
                .isEqualTo(new Row(Rows.statsKey(8), 6L, 200L));
        assertThat(Deltas.apply(before, (Mutation.Merge) Rows.childrenChanged(8, -1, 50)))
                .isEqualTo(new Row(Rows.statsKey(8), 4L, 100L));
    }

    @Test
    void shouldReadEachFormatLevelAndWhatItHas() {
        assertThat(FormatLevel.of(null)).isEqualTo(FormatLevel.FIRST);
        for (FormatLevel level : FormatLevel.values()) {
            assertThat(FormatLevel.of(level.row())).isEqualTo(level);
            assertThat(level.has(level)).isTrue();
            assertThat(level.has(FormatLevel.FIRST)).isTrue();
            assertThat(FormatLevel.NEWEST.has(level)).isTrue();
        }
        assertThat(FormatLevel.FIRST.has(FormatLevel.BLOCKS)).isFalse();
        assertThat(List.of(FormatLevel.values()))
                .extracting(FormatLevel::brings)
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldKnowWhatMakesTheStoreGrow() {
        Mutation content = new Mutation.Put(new Row(Schema.SMALL_FILES.key(7L, 1L), (Object) new byte[1]));
        Mutation settings = new Mutation.Put(FormatLevel.FIRST.row());
        Mutation added = Rows.childrenChanged(8, 1, 200);
        Mutation removed = Rows.childrenChanged(8, -1, 200);
        Mutation number = new Mutation.Merge(
                Schema.SEQUENCES.key("inode"), List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 5)));

        assertThat(Mutation.grow(List.of(settings, content))).isTrue();
        assertThat(Mutation.grow(List.of(added))).isTrue();
        assertThat(Mutation.grow(List.of(added, added, removed))).isTrue();
        assertThat(Mutation.grow(List.of(added, removed))).as("a rename").isFalse();
        assertThat(Mutation.grow(List.of(new Mutation.Delete(Schema.SMALL_FILES.key(7L, 1L)), settings, number)))
                .isFalse();
        assertThat(Mutation.grow(List.of(Rows.childrenChanged(8, 0, 200))))
                .as("a time")
                .isFalse();
    }
}
