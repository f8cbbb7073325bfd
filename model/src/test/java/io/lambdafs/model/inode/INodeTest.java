package io.lambdafs.model.inode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class INodeTest {
    private static final INode FILE = new INode(
            3,
            "f",
            7,
            new INode.Traits(INode.Kind.FILE, "ann", "staff", 0640, 3, 1 << 20, INode.Content.INLINE),
            9,
            5,
            6,
            2);

    /** Changes and what undoes them. */
    private record Change(UnaryOperator<INode> made, UnaryOperator<INode> undone) {}

    @Test
    void shouldChangeOneThingAndKeepTheRest() {
        List<Change> changes = List.of(
                new Change(node -> node.withMode(0777), node -> node.withMode(0640)),
                new Change(node -> node.withOwner("bob", "users"), node -> node.withOwner("ann", "staff")),
                new Change(node -> node.withReplication(1), node -> node.withReplication(3)),
                new Change(node -> node.withTimes(1, 2), node -> node.withTimes(5, 6)),
                new Change(node -> node.withLocation(4, "g"), node -> node.withLocation(3, "f")),
                new Change(
                        node -> node.withContent(INode.Content.BLOCKS, 8, 7, 6),
                        node -> node.withContent(INode.Content.INLINE, 2, 9, 5)));
        INode marked = FILE.withMark(new INode.SubtreeMark(4, 5));
        for (INode node : List.of(FILE, marked)) {
            for (Change change : changes) {
                INode changed = change.made().apply(node);

                assertThat(changed).isNotEqualTo(node);
                assertThat(changed.isFlagged()).isEqualTo(node.isFlagged());
                assertThat(change.undone().apply(changed)).isEqualTo(node).hasSameHashCodeAs(node);
            }
        }
    }

    @Test
    void shouldTellWhoHoldsIt() {
        INode marked = FILE.withMark(new INode.SubtreeMark(4, 5));

        assertThat(marked).isNotEqualTo(FILE);
        assertThat(marked.isMarkedBy(4)).isTrue();
        assertThat(marked.isMarkedBy(5)).isFalse();
        assertThat(FILE.isMarkedBy(0)).isFalse();
        assertThat(marked.withMark(null)).isEqualTo(FILE);
    }
}
