package io.lambdafs.store.database;

import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.engine.ReadPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Batches row reads on a thread pool: reads that queue while all threads are busy go to the database in one query.
 * Thread-safe.
 */
final class GatheredReads {
    private static final int MOST_READS = 16;
    /** A query is full with the read that reaches this many keys. */
    private static final int ENOUGH_KEYS = 64;

    private final ReadPool threads;
    private final Reader reader;
    private final Queue<Asked> waiting = new ConcurrentLinkedQueue<>();

    /** Reads rows at one moment; missing rows are absent from the result. */
    @FunctionalInterface
    interface Reader {
        Map<Key, Row> read(Collection<Key> keys);
    }

    private record Asked(List<Key> keys, CompletableFuture<Map<Key, Row>> answer) {}

    GatheredReads(ReadPool threads, Reader reader) {
        this.threads = threads;
        this.reader = reader;
    }

    /**
     * Completes with the rows found, possibly including other callers'; fails as the reader does, or {@code
     * UNAVAILABLE}.
     */
    CompletionStage<Map<Key, Row>> read(List<Key> keys) {
        Asked asked = new Asked(keys, new CompletableFuture<>());
        waiting.add(asked);
        threads.submit(this::readSome).whenComplete((done, refused) -> {
            // Another thread may have taken it; if not, it must be failed here.
            if (refused != null && waiting.remove(asked)) {
                asked.answer().completeExceptionally(refused);
            }
        });
        return asked.answer();
    }

    private boolean readSome() {
        List<Asked> together = new ArrayList<>();
        Set<Key> keys = new LinkedHashSet<>();
        while (together.size() < MOST_READS && keys.size() < ENOUGH_KEYS) {
            Asked next = waiting.poll();
            if (next == null) {
                break;
            }
            together.add(next);
            keys.addAll(next.keys());
        }
        if (together.size() == 1) {
            answer(together.get(0));
        } else if (!together.isEmpty()) {
            answer(together, keys);
        }
        return true;
    }

    private void answer(List<Asked> together, Set<Key> keys) {
        try {
            Map<Key, Row> found = reader.read(keys);
            together.forEach(each -> each.answer().complete(found));
        } catch (FsException oneOfThem) {
            together.forEach(this::answer);
        } catch (Error e) {
            together.forEach(each -> each.answer().completeExceptionally(e));
            throw e;
        }
    }

    private void answer(Asked one) {
        try {
            one.answer().complete(reader.read(one.keys()));
        } catch (RuntimeException e) {
            one.answer().completeExceptionally(e);
        } catch (Error e) {
            one.answer().completeExceptionally(e);
            throw e;
        }
    }
}
