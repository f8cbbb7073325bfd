package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.INode;
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
}
