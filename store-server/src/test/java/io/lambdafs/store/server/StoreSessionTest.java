package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a session expects its client to say next, and how much it takes. */
class StoreSessionTest {
    private static final Key ROW = Schema.SEQUENCES.key("row");

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final MemoryStore store = new MemoryStore(scheduler, StoreLimits.defaults());
    private final AtomicInteger expected = new AtomicInteger();
    private final StoreSession session = new StoreSession(store, new ChangedBytes(1_000), expected::incrementAndGet);

    @AfterEach
    void close() {
        session.close();
        store.close();
        scheduler.close();
    }

    private Message ask(StoreMessage message) {
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
}
