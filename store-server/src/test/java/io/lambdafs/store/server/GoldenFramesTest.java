package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.GoldenFrames;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Column;
import io.lambdafs.store.Guard;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages as an earlier version wrote them. They are never made anew: where this test fails, instances and stores of two versions do
 * not understand each other any more. What is missing is new, and its frames belong in a file of the version that brings it.
 */
class GoldenFramesTest {
    private static final StoreMessage.Name NAME = new StoreMessage.Name(77, true, 5);

    private static final String LIMITED = "a limited merge";

    private final Codec codec = StoreMessages.codec();

    static List<GoldenFrames.Frame> frames() {
        return Stream.of(
                        "format-1.frames",
                        "0.1.0.frames",
                        "sums.frames",
                        "totals.frames",
                        "quotas.frames",
                        "snapshots.frames")
                .flatMap(file -> GoldenFrames.read(GoldenFramesTest.class, file).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWrittenAndWriteItAgain(GoldenFrames.Frame frame) {
        GoldenFrames.check(codec, frame);
    }

    @Test
    void shouldHaveAFrameOfEveryMessage() {
        Set<Integer> expected = GoldenFrames.numbers(codec);
        expected.removeAll(GoldenFrames.numbers(RpcMessages.codec()));

        assertThat(GoldenFrames.numbersOf(frames())).isEqualTo(expected);
    }

    @Test
    void shouldHaveAFrameOfEveryTableMutationGuardAndLock() {
        Set<Object> found = new HashSet<>();
        for (GoldenFrames.Frame frame : frames()) {
            Message message = GoldenFrames.check(codec, frame);
            if (message instanceof StoreMessage.Commit commit) {
                commit.mutations().forEach(mutation -> {
                    found.add(mutation.getClass());
                    found.add(mutation instanceof Mutation.Merge merge && merge.limited() ? LIMITED : mutation);
                });
            } else if (message instanceof StoreMessage.CommitIf guarded) {
                guarded.commit().guards().forEach(guard -> found.add(guard.getClass()));
            } else if (message instanceof StoreMessage.ReadRows read) {
                read.reads().forEach(each -> found.add(each.lock()));
            } else if (message instanceof StoreMessage.FoundRows rows && !rows.more()) {
                rows.rows().stream()
                        .filter(row -> row.storedSize() == row.key().table().valueSize())
                        .forEach(row -> found.add(row.key().table()));
            }
        }

        assertThat(found)
                .contains((Object[]) Mutation.class.getPermittedSubclasses())
                .contains((Object[]) Guard.class.getPermittedSubclasses())
                .contains((Object[]) LockMode.values())
                .containsAll(stored())
                .contains(LIMITED);
    }

    private static List<Table> stored() {
        return Schema.TABLES.stream().filter(table -> table.valueSize() > 0).toList();
    }

    /** A row with all columns of today. */
    private static Row row(Table table) {
        Object[] key = IntStream.range(0, table.keySize())
                .mapToObj(i -> value(table.keyType(i), i + 1))
                .toArray();
        Object[] values = IntStream.range(0, table.valueSize())
                .mapToObj(i -> value(table.valueType(i), i + 1))
                .toArray();
        return new Row(table.key(key), values);
    }

    private static Object value(Column.Type type, int place) {
        return switch (type) {
            case INT64 -> place % 2 == 0 ? -place * 1_000L : Long.MAX_VALUE - place;
            case STRING -> "ß漢" + place;
            case BYTES -> new byte[] {(byte) place, 0, -1};
        };
    }

    /** See {@link GoldenFrames}. */
    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeFrames() throws IOException {
        List<StoreMessage> messages =
                new ArrayList<>(StoreMessagesTest.messages().toList());
        Object[] change = row(Schema.CHANGES).values();
        messages.add(new StoreMessage.Commit(
                NAME, List.of(new Mutation.Append(new Row(ChangeLog.UNPLACED, change))), Long.MAX_VALUE));
        messages.add(new StoreMessage.ReadRows(
                NAME, List.of(Read.exclusive(Schema.CHANGES.key(0L, 1L)), Read.unlocked(ChangeLog.NEXT)), -1));
        for (Table table : stored()) {
            messages.add(new StoreMessage.FoundRows(List.of(row(table)), false));
        }
        GoldenFrames.write("0.1.0.frames", codec, messages);
    }

    /** See {@link GoldenFrames}. */
    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeSums() throws IOException {
        List<StoreMessage> sums = StoreMessagesTest.messages()
                .filter(each -> each instanceof StoreMessage.SumSnapshot || each instanceof StoreMessage.SummedRows)
                .toList();
        GoldenFrames.write("sums.frames", codec, sums);
    }

    /** See {@link GoldenFrames}. */
    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeTotals() throws IOException {
        StoreMessage totals = new StoreMessage.FoundRows(List.of(row(Schema.DIRECTORY_TOTALS)), false);
        GoldenFrames.write("totals.frames", codec, List.of(totals));
    }

    /** See {@link GoldenFrames}. */
    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeSnapshots() throws IOException {
        List<Row> rows = Stream.of(
                        Schema.INODES,
                        Schema.VERSIONS,
                        Schema.DIRECTORY_VERSIONS,
                        Schema.KEPT,
                        Schema.SNAPSHOTS,
                        Schema.SNAPSHOT_NUMBERS,
                        Schema.SNAPSHOTTABLES,
                        Schema.HELD_FILES)
                .map(GoldenFramesTest::row)
                .toList();
        GoldenFrames.write("snapshots.frames", codec, List.of(new StoreMessage.FoundRows(rows, false)));
    }

    /** See {@link GoldenFrames}. */
    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeQuotas() throws IOException {
        Mutation charge = Rows.totalsChanged(7, new DirectoryTotals(1, 0, 5, 15), true);
        GoldenFrames.write(
                "quotas.frames",
                codec,
                List.of(
                        new StoreMessage.FoundRows(List.of(row(Schema.INODES), row(Schema.DIRECTORY_TOTALS)), false),
                        new StoreMessage.Commit(NAME, List.of(charge), Long.MAX_VALUE)));
    }
}
