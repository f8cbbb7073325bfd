package io.lambdafs.functions.namenode.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A request that is traced is answered by the store as any other, whether its spans go anywhere or not. */
class TracedTransactionTest {
    private static final TraceParent TRACE = new TraceParent(1, 2, 3);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final MemoryStore store = new MemoryStore(scheduler);

    private <T> T traced(Function<StoreTransaction, CompletionStage<T>> asked) {
        StoreTransaction traced = new TracedTransaction(store.begin(0), TRACE);
        CompletableFuture<T> answer = asked.apply(traced).toCompletableFuture();
        for (int i = 0; i < 1_000 && !answer.isDone(); i++) {
            scheduler.advance(1_000_000);
        }
        traced.abort();
        return answer.join();
    }

    @Test
    void shouldPassOnWhatIsAskedAndAnswered() {
        Row row = new Row(Schema.SETTINGS.key("a"), "1");
        Row next = new Row(Schema.SETTINGS.key("a"), "2");
        Row listed = new Row(Schema.DETACHED_FILES.key(0L, 7L), 1L);
        List<Read> reads = List.of(Read.exclusive(row.key()));
        traced(each -> each.commit(List.of(new Mutation.Put(row), new Mutation.Put(listed)), Long.MAX_VALUE));
        List<@Nullable Row> read = traced(each -> each.read(reads, 0));
        assertThat(read).containsExactly(row);
        List<Row> scanned = traced(each -> each.scan(new Scan(Schema.DETACHED_FILES, 0L, null, 10)));
        assertThat(scanned).containsExactly(listed);
        GuardedCommit guarded =
                new GuardedCommit(reads, List.of(new Guard.Same(row)), List.of(new Mutation.Put(next)), Long.MAX_VALUE);
        Optional<List<@Nullable Row>> unexpected = traced(each -> each.commitIf(guarded));
        assertThat(unexpected).isEmpty();
        List<@Nullable Row> after = traced(each -> each.readAndEnd(reads, 0));
        assertThat(after).as("not locked any more").containsExactly(next);
    }
}
