package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which messages a session expects next, and how many it takes. */
class StoreSessionTest {
    private static final Key ROW = Schema.SEQUENCES.key("row");

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final MemoryStore store =
            new MemoryStore(scheduler, StoreLimits.defaults().withMaxTransactions(30_000));
    private final AtomicInteger expected = new AtomicInteger();
    private final StoreSession session = new StoreSession(store, new ChangedBytes(1_000), expected::incrementAndGet);

    @AfterEach
    void close() {
        session.close();
        store.close();
        scheduler.close();
    }

    private Message ask(StoreMessage.Request message) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        session.request(message, answer::complete);
        return answer.join();
    }

    private static StoreMessage.Name name(long id, boolean first) {
        return new StoreMessage.Name(id, first, 0);
    }

    @Test
    void shouldExpectMoreOfATransactionThatGoesOn() {
        List<Read> reads = List.of(Read.exclusive(ROW));
        assertThat(ask(new StoreMessage.ReadRows(name(1, true), reads, 0))).isInstanceOf(StoreMessage.FoundRows.class);
        assertThat(expected).hasValue(1);
        assertThat(ask(new StoreMessage.Commit(name(1, false), List.of(), Long.MAX_VALUE)))
                .isEqualTo(Done.DONE);
        ask(new StoreMessage.ReadAndEnd(name(2, true), reads, 0));
        assertThat(expected).hasValue(1);
    }

    private static StoreMessage.Commit commit(long id, boolean first) {
        Row row = new Row(Schema.SMALL_FILES.key(1L, id), new byte[600]);
        return new StoreMessage.Commit(name(id, first), List.of(new Mutation.Put(row)), Long.MAX_VALUE);
    }

    @Test
    void shouldCountTheBytesOfChangesUntilTheyAreAnswered() {
        // Waits for a lock with its changes.
        ask(new StoreMessage.ReadRows(name(1, true), List.of(Read.exclusive(ROW)), 0));
        StoreMessage.CommitIf waiting = new StoreMessage.CommitIf(
                name(2, true),
                new GuardedCommit(
                        List.of(Read.exclusive(ROW)),
                        List.of(new Guard.Absent()),
                        commit(2, true).mutations(),
                        Long.MAX_VALUE));
        CompletableFuture<Message> waits = new CompletableFuture<>();
        session.request(waiting, waits::complete);

        ask(new StoreMessage.ReadRows(name(3, true), List.of(Read.exclusive(Schema.SEQUENCES.key("other"))), 0));
        assertThat(ask(commit(3, false)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        assertThat(store.openTransactions()).as("the refused one has ended").isEqualTo(2);

        ask(new StoreMessage.Abort(1));
        assertThat(waits.join()).isEqualTo(Done.DONE);
        assertThat(ask(commit(4, true))).isEqualTo(Done.DONE);
    }

    @Test
    void shouldTakeAChangeThatIsLargerThanTheLimitAlone() {
        Row row = new Row(Schema.SMALL_FILES.key(1L, 1L), new byte[5_000]);
        assertThat(ask(new StoreMessage.Commit(name(1, true), List.of(new Mutation.Put(row)), Long.MAX_VALUE)))
                .isEqualTo(Done.DONE);
    }

    @Test
    void shouldCountBytesUpToTheLimitItself() {
        Row row = new Row(Schema.SMALL_FILES.key(1L, 1L), new byte[300]);
        int size = row.estimatedBytes();
        List<Mutation> changes = List.of(new Mutation.Put(row));
        ChangedBytes bytes = new ChangedBytes(2L * size);
        List<Message> answers = new ArrayList<>();

        Consumer<Message> first = bytes.until(answers::add, changes);
        bytes.until(answers::add, changes);
        assertThatThrownBy(() -> bytes.until(answers::add, changes))
                .hasMessageContaining("changes of " + 2 * size + " bytes are under way");

        first.accept(Done.DONE);
        bytes.until(answers::add, changes);
        assertThat(answers).containsExactly(Done.DONE);
    }

    /** A row that counts as this many bytes. */
    private static Row large(long content, int bytes) {
        Row empty = new Row(Schema.SMALL_FILES.key(9L, content), (Object) new byte[0]);
        return new Row(empty.key(), (Object) new byte[bytes - empty.estimatedBytes()]);
    }

    @Test
    void shouldTellALargeAnswerAFrameAtATime() {
        int frame = 1 << 20;
        List<Row> rows = List.of(large(1, frame), large(2, frame - 1), large(3, frame), large(4, frame / 2));
        rows.forEach(row -> store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
        List<Read> reads = rows.stream().map(row -> Read.shared(row.key())).toList();

        assertThat(ask(new StoreMessage.ReadAndEnd(name(1, true), reads, 0)))
                .isEqualTo(new StoreMessage.FoundRows(rows.subList(0, 1), true));
        assertThat(ask(new StoreMessage.MoreRows(1))).isEqualTo(new StoreMessage.FoundRows(rows.subList(1, 3), true));
        assertThat(ask(new StoreMessage.MoreRows(1))).isEqualTo(new StoreMessage.FoundRows(rows.subList(3, 4), false));
        assertThat(ask(new StoreMessage.MoreRows(1)))
                .as("the answer has been told, and with it the transaction has ended")
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.STORE_CONFLICT));
    }

    @Test
    void shouldBoundTheTransactionsOfAConnection() {
        List<Read> reads = List.of(Read.unlocked(ROW));
        for (long id = 1; id <= StoreSession.MAX_TRANSACTIONS; id++) {
            assertThat(ask(new StoreMessage.ReadRows(name(id, true), reads, 0)))
                    .isInstanceOf(StoreMessage.FoundRows.class);
        }
        assertThat(ask(new StoreMessage.ReadRows(name(0, true), reads, 0)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }

    @Test
    void shouldRefuseWhatNamesNoTransaction() {
        for (StoreMessage.Request late : List.of(new StoreMessage.MoreRows(5), commit(5, false))) {
            assertThat(ask(late))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.STORE_CONFLICT));
        }
        assertThat(ask(new StoreMessage.Abort(5))).isEqualTo(Done.DONE);
    }
}
