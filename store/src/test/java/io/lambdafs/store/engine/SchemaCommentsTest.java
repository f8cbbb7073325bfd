package io.lambdafs.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.store.Change;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Column;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.instance.Deployments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever reads the tables by SQL is told of each table, column and number in them. */
class SchemaCommentsTest {
    private static String comment(Table table, String column) {
        return SchemaComments.of(table, column(table, column));
    }

    private static Column column(Table table, String name) {
        return columns(table)
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Column> columns(Table table) {
        return Stream.concat(table.keyColumns().stream(), table.valueColumns().stream());
    }

    @Test
    void shouldDescribeEachTableAndColumnAndNoOther() {
        List<String> names = new ArrayList<>();
        for (Table table : Schema.TABLES) {
            if (table.hasRows()) {
                names.add(table.name());
                columns(table).forEach(column -> names.add(table.name() + "." + column.name()));
            }
        }
        assertThat(SchemaComments.all()).containsOnlyKeys(names);
        // MySQL keeps 1,024 characters of a column's.
        assertThat(SchemaComments.all().values())
                .allSatisfy(each -> assertThat(each)
                        .isNotBlank()
                        .doesNotContain("  ", "|", "\\")
                        .hasSizeLessThan(1_000));
        assertThatThrownBy(() -> SchemaComments.of(Schema.LISTINGS)).hasMessage("listings has no comment");
    }

    /** As they are stored: a constant that is added fails here until it is told of. */
    @Test
    void shouldNameEveryNumberOfAKind() {
        INode file = INode.directory(1, "a", 2, "ann", "users", 0755, 7);
        assertNamed(
                Schema.INODES,
                "kind",
                Stream.of(INode.Kind.values()),
                kind -> Rows.of(node(file, kind, INode.Content.NONE)).int64(1));
        assertNamed(
                Schema.INODES,
                "content",
                Stream.of(INode.Content.values()),
                content -> Rows.of(node(file, INode.Kind.FILE, content)).int64(10));
        Change.Origin origin = new Change.Origin("ann", 1, new RequestId(1, 2, 0, 1));
        assertNamed(
                Schema.CHANGES,
                "kind",
                Stream.of(Change.Kind.values()),
                kind -> new Change(Change.Event.of(kind, file, FsPath.of("/a")), origin)
                        .row()
                        .int64(0));
        assertNamed(
                Schema.BLOCKS,
                "state",
                Stream.of(StoredBlock.State.values()),
                state -> new StoredBlock(1, 0, new Block(1, 1, 1, 1), "s", "k", state)
                        .row()
                        .int64(6));
        assertNamed(
                Schema.DATANODES,
                "state",
                Stream.of(Datanode.State.values()),
                state -> new Datanode(new DatanodeAddress("d", "host", 1), "s", state, 0, 0, 0)
                        .row()
                        .int64(3));
    }

    private static INode node(INode like, INode.Kind kind, INode.Content content) {
        INode.Traits traits = new INode.Traits(kind, "ann", "users", 0755, 0, 0, content);
        return new INode(like.parentId(), like.name(), like.id(), traits, 0, 0, 0, 0);
    }

    private static <E extends Enum<E>> void assertNamed(
            Table table, String column, Stream<E> constants, ToLongFunction<E> number) {
        String comment = comment(table, column);
        constants.forEach(each -> assertThat(comment)
                .containsPattern("(^|[ ,:])" + number.applyAsLong(each) + " "
                        + each.name().toLowerCase(Locale.ROOT) + "\\b"));
    }

    @Test
    void shouldNameTheSettingsAndSequences() {
        assertThat(comment(Schema.SETTINGS, "name"))
                .contains(
                        FormatLevel.KEY.string(0) + ":",
                        Deployments.NUMBER.string(0) + ":",
                        Deployments.GENERATION.string(0) + ":");
        assertThat(comment(Schema.SEQUENCES, "name"))
                .contains(ChangeLog.NEXT.string(0) + ":", ChangeLog.TRIMMED.string(0) + ":");
    }

    /** A number alone may be seconds. */
    @Test
    void shouldSayOfEachTimeWhatItCountsFrom() {
        Schema.TABLES.stream()
                .filter(Table::hasRows)
                .forEach(table -> columns(table)
                        .filter(column -> column.name().endsWith("_millis")
                                || column.name().endsWith("time"))
                        .forEach(column -> assertThat(SchemaComments.of(table, column))
                                .as(table + "." + column.name())
                                .contains("milliseconds since 1970")));
    }
}
