package io.lambdafs.functions.listing;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces identical store reads: one runs at a time per key, and callers that arrive meanwhile share the next one,
 * because the current read may have begun before a write they must see. So no caller waits for more than two reads, and
 * the store does one at a time per key. Thread-safe; a read runs on the caller's thread or on the one that ended the
 * previous read.
 *
 * @param <K> identifies the read, by equality
 * @param <V> the answer, given to all who share the read
 */
public final class SharedReads<K, V> {
    /** The callers waiting for the next read, if any. */
    private static final class Next<V> {
        @Nullable
        Supplier<CompletionStage<V>> read;

        final CompletableFuture<V> answer = new CompletableFuture<>();
    }

    private final Map<K, Next<V>> underWay = new HashMap<>();

    /** Reads, or joins a read that has not begun; that read uses the supplier of the last caller. */
    public CompletionStage<V> read(K key, Supplier<CompletionStage<V>> read) {
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
