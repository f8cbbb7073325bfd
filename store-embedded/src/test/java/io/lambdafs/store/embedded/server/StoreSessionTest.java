package io.lambdafs.store.embedded.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Message;
import io.lambdafs.store.Key;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** After which answers a session expects its client to say more. */
class StoreSessionTest {
    private static final Key ROW = Schema.SEQUENCES.key("row");

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final MemoryStore store = new MemoryStore(scheduler, StoreLimits.defaults());
    private final AtomicInteger expected = new AtomicInteger();
    private final StoreSession session = new StoreSession(store, expected::incrementAndGet);

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
}
