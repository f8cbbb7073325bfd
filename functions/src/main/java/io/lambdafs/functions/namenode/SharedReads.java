package io.lambdafs.functions.namenode;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the store of which many may want the same at once: one is under way, and all who come meanwhile share the next. The one under
 * way may have begun before a write that they must see. So nobody waits for more than two reads, and however many ask, the store
 * has one of them to do at a time. Thread-safe; runs a read on the thread that asks, or on the one that ends the read before.
 *
 * @param <K> what is read, by its equality
 * @param <V> the answer, which all who share it get
 */
final class SharedReads<K, V> {
    /** Those who wait for the next read, if there are any. */
    private static final class Next<V> {
        @Nullable
        Supplier<CompletionStage<V>> read;

        final CompletableFuture<V> answer = new CompletableFuture<>();
    }

    private final Map<K, Next<V>> underWay = new HashMap<>();

    /** Reads, or waits for a read that has not begun; then it is done as whoever came last would do it. */
    CompletionStage<V> read(K key, Supplier<CompletionStage<V>> read) {
        synchronized (underWay) {
            Next<V> next = underWay.get(key);
            if (next != null) {
                next.read = read;
                return next.answer.minimalCompletionStage();
            }
            underWay.put(key, new Next<>());
        }
        return begin(key, read);
    }

    private CompletionStage<V> begin(K key, Supplier<CompletionStage<V>> read) {
        CompletionStage<V> reading;
        try {
            reading = read.get();
        } catch (RuntimeException e) {
            reading = CompletableFuture.failedFuture(e);
        }
        return reading.whenComplete((answer, error) -> ended(key));
    }

    private void ended(K key) {
        Next<V> next;
        Supplier<CompletionStage<V>> read;
        synchronized (underWay) {
            next = underWay.remove(key);
            read = next == null ? null : next.read;
            if (next == null || read == null) {
                return;
            }
            underWay.put(key, new Next<>());
        }
        begin(key, read).whenComplete((answer, error) -> {
            if (error == null) {
                next.answer.complete(answer);
            } else {
                next.answer.completeExceptionally(error);
            }
        });
    }
}
