package io.lambdafs.functions.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedReadsTest {
    private final SharedReads<String, Integer> reads = new SharedReads<>();
    /** Reads that have begun and not ended. */
    private final List<CompletableFuture<Integer>> begun = new ArrayList<>();

    private CompletableFuture<Integer> read(String key) {
        return reads.read(key, () -> {
                    CompletableFuture<Integer> reading = new CompletableFuture<>();
                    begun.add(reading);
                    return reading;
                })
                .toCompletableFuture();
    }

    @Test
    void shouldReadAtOnceWhereNobodyDoes() {
        CompletableFuture<Integer> one = read("a");
        CompletableFuture<Integer> other = read("b");
        assertThat(begun).hasSize(2);
        begun.get(1).complete(2);
        begun.get(0).complete(1);
        assertThat(one).isCompletedWithValue(1);
        assertThat(other).isCompletedWithValue(2);
        read("a");
        assertThat(begun).hasSize(3);
    }

    @Test
    void shouldShareTheNextReadAndNotTheOneUnderWay() {
        CompletableFuture<Integer> first = read("a");
        List<CompletableFuture<Integer>> waiting = List.of(read("a"), read("a"), read("a"));
        assertThat(begun).hasSize(1);
        begun.get(0).complete(1);
        assertThat(first).isCompletedWithValue(1);
        assertThat(begun).hasSize(2);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        CompletableFuture<Integer> later = read("a");
        begun.get(1).complete(2);
        assertThat(waiting).allSatisfy(shared -> assertThat(shared).isCompletedWithValue(2));
        assertThat(later).isNotDone();
        assertThat(begun).hasSize(3);
        begun.get(2).complete(3);
        assertThat(later).isCompletedWithValue(3);
        read("a");
        assertThat(begun).hasSize(4);
    }

    @Test
    void shouldTellAllWhoShareARead() {
        CompletableFuture<Integer> first = read("a");
        List<CompletableFuture<Integer>> waiting = List.of(read("a"), read("a"));
        begun.get(0).completeExceptionally(new IllegalStateException("first"));
        assertThatThrownBy(first::join).isInstanceOf(CompletionException.class).hasRootCauseMessage("first");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        begun.get(1).completeExceptionally(new IllegalStateException("second"));
        for (CompletableFuture<Integer> shared : waiting) {
            assertThatThrownBy(shared::join).hasRootCauseMessage("second");
        }
    }

    @Test
    void shouldGoOnAfterAReadThatCouldNotBegin() {
        CompletableFuture<Integer> first = read("a");
        CompletionStage<Integer> second = reads.read("a", () -> {
            throw new IllegalStateException("no store");
        });
        begun.get(0).complete(1);
        assertThat(first).isCompletedWithValue(1);
        assertThatThrownBy(() -> second.toCompletableFuture().join()).hasRootCauseMessage("no store");
        read("a");
        assertThat(begun).hasSize(2);
    }

    /** A value that was written before a read was asked for is seen by it, whoever else asks. */
    @Test
    void shouldNeverAnswerWithWhatWasReadBeforeItWasAsked() throws Exception {
        AtomicInteger written = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> askers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                askers.add(threads.submit(() -> {
                    for (int n = 0; n < 2_000; n++) {
                        int mine = written.incrementAndGet();
                        int seen = reads.read("a", () -> CompletableFuture.supplyAsync(written::get))
                                .toCompletableFuture()
                                .get();
                        assertThat(seen).isGreaterThanOrEqualTo(mine);
                    }
                    return null;
                }));
            }
            for (Future<?> asker : askers) {
                asker.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
