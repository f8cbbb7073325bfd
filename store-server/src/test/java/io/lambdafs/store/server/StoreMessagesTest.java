package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoreMessagesTest {
    private static final Codec CODEC = StoreMessages.codec();
    private static final StoreMessage.Name NAME = new StoreMessage.Name(77, true, 5);

    static Stream<StoreMessage> messages() {
        Row slot = new Row(Schema.SLOTS.key("client", -1L), 9L, new byte[] {1, 2, 3}, Long.MAX_VALUE);
        return Stream.of(
                new StoreMessage.ReadRows(
                        NAME,
                        List.of(
                                Read.unlocked(Rows.instanceKey(5)),
                                Read.shared(slot.key()),
                                Read.exclusive(Rows.inodeKey(1, "λ"))),
                        1_000_000),
                new StoreMessage.ScanRows(NAME, new Scan(Schema.INODES, 1L, null, Scan.MAX_LIMIT)),
                new StoreMessage.ScanRows(NAME, new Scan(Schema.SLOTS, "c", -5L, 1)),
                new StoreMessage.MoreRows(77),
                new StoreMessage.Commit(
                        NAME,
                        List.of(
                                new Mutation.Put(slot),
                                new Mutation.Delete(Schema.SETTINGS.key("x")),
                                Rows.childrenChanged(3, -1, 99)),
                        Long.MAX_VALUE),
                new StoreMessage.ReadAndEnd(NAME, List.of(Read.shared(slot.key())), -1),
                new StoreMessage.CommitIf(
                        NAME,
                        new GuardedCommit(
                                List.of(
                                        Read.shared(Rows.instanceKey(5)),
                                        Read.shared(Rows.listingKey(9)),
                                        Read.exclusive(Schema.SETTINGS.key("x")),
                                        Read.exclusive(slot.key()),
                                        Read.shared(Schema.CLIENTS.key(0L, "c"))),
                                List.of(
                                        new Guard.Present(),
                                        new Guard.Absent(),
                                        new Guard.Same(new Row(Schema.SETTINGS.key("x"), "y")),
                                        new Guard.Below(10),
                                        new Guard.Any()),
                                List.of(new Mutation.Put(slot)),
                                9)),
                new StoreMessage.Supersede("client"),
                new StoreMessage.OpenSnapshot(),
                new StoreMessage.SnapshotOpen("7-1"),
                new StoreMessage.ScanSnapshot(new SnapshotScan("7-1", Schema.INODES, null)),
                new StoreMessage.ScanSnapshot(new SnapshotScan("7-1", Schema.SLOTS, slot.key())),
                new StoreMessage.CloseSnapshot("7-1"),
                new StoreMessage.SumSnapshot(new SnapshotScan("7-1", Schema.INODES, null), 1),
                new StoreMessage.SumSnapshot(new SnapshotScan("7-1", Schema.SLOTS, slot.key()), 40_000),
                new StoreMessage.SummedRows(new RowSum(0, null, 0)),
                new StoreMessage.SummedRows(new RowSum(40_000, slot.key(), -7_000_000_000L)),
                new StoreMessage.Abort(77),
                new StoreMessage.Fence(5),
                new StoreMessage.FoundRows(Arrays.asList(slot, null), true),
                // With the columns of a later version.
                new StoreMessage.FoundRows(Arrays.asList(slot.withUnknown(new byte[] {7, 8}), slot), false));
    }

    private static byte[] bytes(StoreMessage message) {
        WireWriter out = new WireWriter();
        CODEC.write(out, message);
        return out.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadWhatItWrote(StoreMessage message) {
        assertThat(CODEC.read(new WireReader(bytes(message)))).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldRefuseEveryTruncation(StoreMessage message) {
        byte[] whole = bytes(message);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> CODEC.read(new WireReader(cut)))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME));
        }
    }

    @Test
    void shouldExpectAnAnswerAtOnceOfReadsOnly() {
        assertThat(messages().filter(CODEC::isAnsweredAtOnce))
                .hasSize(2)
                .hasExactlyElementsOfTypes(StoreMessage.ReadRows.class, StoreMessage.ReadAndEnd.class);
    }

    @Test
    void shouldRefuseTablesThatItDoesNotKnow() {
        for (int number : new int[] {0, Schema.TABLES.size() + 1}) {
            assertThatThrownBy(() -> RowWire.readTable(new WireReader(new byte[] {(byte) number})))
                    .hasMessageContaining("no table has the number " + number);
        }
        assertThat(RowWire.readTable(new WireReader(new byte[] {(byte) Schema.TABLES.size()})))
                .isEqualTo(Schema.TABLES.get(Schema.TABLES.size() - 1));
    }

    @Test
    void shouldFailOnlyWithBadFrameOnGarbage() {
        Random random = new Random(5);
        List<byte[]> samples = messages().map(StoreMessagesTest::bytes).toList();
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] garbled = samples.get(random.nextInt(samples.size())).clone();
            garbled[random.nextInt(garbled.length)] = (byte) random.nextInt();
            try {
                assertThat(CODEC.read(new WireReader(garbled))).isNotNull();
            } catch (FsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME);
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }
}
