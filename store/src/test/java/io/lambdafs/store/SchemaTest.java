package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tables, keys and rows, as engines rely on them. */
class SchemaTest {
    private static final byte[] NONE = {};
    private static final List<Column> KEY = List.of(Column.int64("id"), Column.string("name"));

    private final Table table = new Table(
            200,
            "things",
            9,
            KEY,
            List.of(
                    Column.int64("size"),
                    Column.string("owner").orElse("root"),
                    Column.bytes("seal").orElse(NONE)));

    private Key key() {
        return table.key(1L, "a");
    }

    private Row row(Object... values) {
        return new Row(key(), values);
    }

    private static void assertRefused(Runnable made, String... why) {
        assertThatThrownBy(made::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(why);
    }

    @Test
    void shouldFindEachTableByItsNumber() {
        for (Table each : Schema.TABLES) {
            assertThat(Schema.table(each.number())).isSameAs(each);
        }
        assertThat(Schema.TABLES)
                .doesNotHaveDuplicates()
                .extracting(Table::name)
                .doesNotHaveDuplicates();
        assertRefused(() -> Schema.table(0), "number 0");
        assertRefused(() -> Schema.table(Schema.TABLES.size() + 1), "number");
    }

    @Test
    void shouldCarryWhatIsNotAboutProcessesThatRun() {
        assertThat(Schema.TABLES.stream().filter(each -> !each.isCarried()))
                .containsExactlyInAnyOrder(
                        Schema.INSTANCES,
                        Schema.EPOCHS,
                        Schema.MEMBERS,
                        Schema.LETTERS,
                        Schema.DATANODES,
                        Schema.BLOCK_REPORTS,
                        Schema.BLOCK_FAULTS,
                        Schema.LISTINGS);
    }

    @Test
    void shouldDescribeATable() {
        Table locks = new Table(201, "locks", 4, List.of(Column.int64("id")), List.of());

        assertThat(table.number()).isEqualTo(200);
        assertThat(table.lockRank()).isEqualTo(9);
        assertThat(table.name()).isEqualTo("things").isEqualTo(table.toString());
        assertThat(table.keyType(1)).isEqualTo(Column.Type.STRING);
        assertThat(table.valueType(2)).isEqualTo(Column.Type.BYTES);
        assertThat(table.valueSize()).isEqualTo(3);
        assertThat(table.requiredSize()).isEqualTo(1);
        assertThat(table.hasRows()).isTrue();
        assertThat(locks.hasRows()).isFalse();
        assertThat(locks.requiredSize()).isZero();
    }

    @Test
    void shouldTakeDefaultsAtTheEndOnly() {
        Column late = Column.int64("late").orElse(1L);

        assertThat(new Table(202, "t", 1, KEY, List.of(Column.int64("x"), Column.string("y"))).requiredSize())
                .isEqualTo(2);
        assertThat(new Table(202, "t", 1, KEY, List.of(late)).requiredSize()).isZero();
        assertRefused(() -> new Table(202, "t", 1, KEY, List.of(late, Column.int64("x"))), "without a default");
        assertRefused(() -> Column.int64("late").orElse("text"), "late cannot be text");
    }

    @Test
    void shouldBeTheSameTableByItsNumber() {
        assertThat(new Table(200, "renamed", 1, KEY, List.of()))
                .isEqualTo(table)
                .hasSameHashCodeAs(table);
        assertThat(new Table(201, "things", 9, KEY, List.of()))
                .isNotEqualTo(table)
                .doesNotHaveSameHashCodeAs(table);
    }

    @Test
    void shouldRefuseKeysThatDoNotFit() {
        assertRefused(() -> table.key(1L), "things has 2 key columns");
        assertRefused(() -> table.key(1L, "a", "b"), "2 key columns");
        assertRefused(() -> table.key("1", "a"), "things.id cannot be String");
    }

    @Test
    void shouldTellTheKeysOfTablesApart() {
        Key stats = Schema.DIRECTORY_STATS.key(5L);

        assertThat(Schema.DIRECTORY_STATS.key(5L)).isEqualTo(stats).hasSameHashCodeAs(stats);
        assertThat(Schema.LISTINGS.key(5L)).isNotEqualTo(stats).doesNotHaveSameHashCodeAs(stats);
        assertThat(key().parts()).containsExactly(1L, "a");
        assertThat(key().partition()).isEqualTo(1L);
    }

    @Test
    void shouldOrderKeysByRankThenPartitionThenTableThenTheRest() {
        List<Key> inOrder = List.of(
                Rows.instanceKey(9),
                Schema.SLOTS.key("a", 0L),
                Rows.listingKey(1),
                Rows.inodeKey(1, "a"),
                Rows.inodeKey(1, "b"),
                Rows.listingKey(2),
                Rows.inodeKey(2, "a"),
                Rows.statsKey(1),
                Schema.EPOCHS.key(0L, 1L),
                // Numbers come before names, whatever the tables' numbers are.
                key(),
                new Table(199, "named", 9, List.of(Column.string("name")), List.of()).key("a"));
        List<Key> shuffled = new ArrayList<>(inOrder);
        Collections.shuffle(shuffled, new Random(5));

        Collections.sort(shuffled);

        assertThat(shuffled).isEqualTo(inOrder);
        assertThat(inOrder.get(10)).isGreaterThan(inOrder.get(9));
    }

    @Test
    void shouldRefuseRowsThatDoNotFit() {
        assertRefused(this::row, "things has 3 value columns");
        assertRefused(() -> row(1L, "ann", NONE, 2L), "things has 3 value columns");
        assertRefused(() -> row(1L, 2L), "things.owner cannot be Long");
    }

    @Test
    void shouldReadDefaultsWhereValuesAreLeftOut() {
        Row row = row(7L);

        assertThat(row.int64(0)).isEqualTo(7);
        assertThat(row.string(1)).isEqualTo("root");
        assertThat(row.bytes(2)).isEmpty();
        assertThat(row).isEqualTo(row(7L, "root", NONE)).hasSameHashCodeAs(row(7L, "root", NONE));
    }

    @Test
    void shouldStoreNoDefaultsAtTheEnd() {
        assertThat(row(7L, "root", NONE).storedSize()).isEqualTo(1);
        assertThat(row(7L, "ann", NONE).storedSize()).isEqualTo(2);
        assertThat(row(7L, "root", new byte[] {1}).storedSize()).isEqualTo(3);
        assertThat(row(7L).withUnknown(new byte[] {1}).storedSize())
                .as("what is unknown stands behind all that is known")
                .isEqualTo(3);
    }

    @Test
    void shouldKeepWhatItDoesNotKnow() {
        Row row = row(7L);
        Row later = row.withUnknown(new byte[] {1});

        assertThat(row.withUnknown(NONE)).isSameAs(row);
        assertThat(later.unknown()).containsExactly(1);
        assertThat(later).isNotEqualTo(row);
        assertThat(later.withUnknown(NONE)).isEqualTo(row);
    }

    @Test
    void shouldTellRowsOfDifferentKeysApart() {
        Row other = new Row(table.key(1L, "b"), 7L);

        assertThat(other).isNotEqualTo(row(7L)).doesNotHaveSameHashCodeAs(row(7L));
    }
}
