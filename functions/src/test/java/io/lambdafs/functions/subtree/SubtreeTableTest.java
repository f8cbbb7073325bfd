package io.lambdafs.functions.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.INode.SubtreeMark;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several operations in the table: whoever meets the mark of one learns its state, and removes that one alone. */
class SubtreeTableTest {
    private static final long DEAD = 3;
    private static final long LIVE = 4;
    private static final SubtreeMark LEFT_BEHIND = new SubtreeMark(11, DEAD);
    private static final SubtreeMark UNDER_WAY = new SubtreeMark(12, LIVE);
    private static final SubtreeMark OF_THE_DEAD_TOO = new SubtreeMark(13, DEAD);

    private final ManualScheduler scheduler = new ManualScheduler(3);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final SubtreeTable table = new SubtreeTable(store, scheduler, () -> LIVE);

    @BeforeEach
    void enterThree() {
        put(new Row(Rows.instanceKey(LIVE), 0L, "i", 0L));
        enter("a", LEFT_BEHIND);
        enter("b", UNDER_WAY);
        enter("c", OF_THE_DEAD_TOO);
    }

    private void enter(String name, SubtreeMark mark) {
        INode directory = INode.directory(INode.ROOT_ID, name, 100 + mark.operation(), "u1", "users", 0755, 1);
        put(Rows.of(directory.withMark(mark)));
        put(new Row(
                SubtreeTable.key(FsPath.ROOT.child(name)),
                mark.operation(),
                mark.epoch(),
                "delete",
                INode.ROOT_ID,
                name));
    }

    private void put(Row row) {
        await(store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
    }

    private <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        for (int i = 0; i < 10_000 && !future.isDone(); i++) {
            scheduler.advance(1_000_000);
        }
        assertThat(future).isCompleted();
        return future.join();
    }

    private Stream<Row> rows(Table of) {
        return store.rows().stream().filter(row -> row.key().table().equals(of));
    }

    private List<String> marked() {
        return rows(Schema.INODES)
                .map(Rows::inode)
                .filter(INode::isFlagged)
                .map(INode::name)
                .toList();
    }

    private List<Long> entered() {
        return rows(Schema.SUBTREE_OPERATIONS).map(row -> row.int64(0)).toList();
    }

    @Test
    void shouldTellEachOperationsState() {
        assertThat(await(table.state(LEFT_BEHIND))).isEqualTo(SubtreeTable.State.ABANDONED);
        assertThat(await(table.state(UNDER_WAY))).isEqualTo(SubtreeTable.State.ACTIVE);
        assertThat(await(table.state(new SubtreeMark(14, LIVE)))).isEqualTo(SubtreeTable.State.OVER);
        assertThat(await(table.state(new SubtreeMark(14, DEAD)))).isEqualTo(SubtreeTable.State.OVER);
    }

    @Test
    void shouldRemoveTheMarksOfOneOperationAndNoOther() {
        await(table.clear(LEFT_BEHIND.operation(), LIVE));
        assertThat(marked()).containsExactly("b", "c");
        assertThat(entered()).containsExactly(UNDER_WAY.operation(), OF_THE_DEAD_TOO.operation());
        await(table.clear(LEFT_BEHIND.operation(), LIVE));
        assertThat(entered()).hasSize(2);
    }

    /** Its directory was moved, and another one with a mark of its own is there. */
    @Test
    void shouldLeaveAMarkThatAnotherOperationHasSetThere() {
        INode other = INode.directory(INode.ROOT_ID, "a", 200, "u1", "users", 0755, 1);
        put(Rows.of(other.withMark(UNDER_WAY)));
        await(table.clear(LEFT_BEHIND.operation(), LIVE));
        assertThat(marked()).containsExactly("a", "b", "c");
        assertThat(entered()).doesNotContain(LEFT_BEHIND.operation());
    }
}
