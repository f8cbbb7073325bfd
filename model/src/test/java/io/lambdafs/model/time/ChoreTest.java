package io.lambdafs.model.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ChoreTest {
    private static final long PAUSE = 1_000;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<CompletableFuture<Void>> runs = new ArrayList<>();
    private final Chore chore = Chore.every(PAUSE, scheduler, () -> {
        CompletableFuture<Void> run = new CompletableFuture<>();
        runs.add(run);
        return run;
    });

    @Test
    void shouldPauseFirstAndAfterEachEndWhateverItIs() {
        chore.start();
        scheduler.advance(PAUSE - 1);
        assertThat(runs).isEmpty();
        scheduler.advance(1);
        assertThat(runs).hasSize(1);
        scheduler.advance(10 * PAUSE);
        assertThat(runs).as("while one is under way").hasSize(1);

        runs.get(0).complete(null);
        scheduler.advance(PAUSE);
        assertThat(runs).hasSize(2);
        runs.get(1).completeExceptionally(new IllegalStateException("failed"));
        scheduler.advance(PAUSE);
        assertThat(runs).hasSize(3);
    }

    @Test
    void shouldBeginNoMoreWhenItIsClosed() {
        chore.start();
        scheduler.advance(PAUSE);
        chore.close();
        assertThat(chore.isClosed()).isTrue();
        runs.get(0).complete(null);
        chore.start();
        scheduler.advance(10 * PAUSE);
        assertThat(runs).hasSize(1);
    }

    @Test
    void shouldCancelWhatItWaitsFor() {
        chore.start();
        chore.close();
        scheduler.advance(10 * PAUSE);
        assertThat(runs).isEmpty();
    }

    @Test
    void shouldPauseForUpToHalfAsLongAgainWhereSeveralMustNotKeepStep() {
        List<Long> begun = new ArrayList<>();
        Chore loose = Chore.everyAndABit(PAUSE, scheduler, () -> {
            begun.add(scheduler.nanoTime());
            return CompletableFuture.completedFuture(null);
        });
        long began = scheduler.nanoTime();
        loose.start();
        for (long at = 0; at < 20 * PAUSE; at++) {
            scheduler.advance(1);
        }
        assertThat(begun).hasSizeBetween(13, 20);
        for (long each : begun) {
            assertThat(each - began).isBetween(PAUSE, PAUSE + PAUSE / 2 - 1);
            began = each;
        }
    }

    @Test
    void shouldGoOnAfterWorkThatThrowsAndSayItOnce() {
        List<Integer> begun = new ArrayList<>();
        Chore failing = Chore.every(PAUSE, scheduler, () -> {
            begun.add(begun.size());
            if (begun.size() <= 2 || begun.size() == 4) {
                throw new FsException(ErrorCode.OVERLOADED, "thrown on purpose");
            }
            return CompletableFuture.completedFuture(null);
        });
        failing.start();

        assertThatThrownBy(() -> scheduler.advance(PAUSE)).hasMessageContaining("thrown on purpose");
        scheduler.advance(PAUSE);
        assertThat(begun).as("the second throw says nothing new").hasSize(2);
        scheduler.advance(PAUSE);
        assertThat(begun).hasSize(3);
        assertThatThrownBy(() -> scheduler.advance(PAUSE))
                .as("after one that went well")
                .hasMessageContaining("thrown on purpose");
        scheduler.advance(PAUSE);
        assertThat(begun).hasSize(5);
    }

    @Test
    void shouldGoOnAfterAnErrorInItsWork() {
        List<Integer> begun = new ArrayList<>();
        Chore failing = Chore.every(PAUSE, scheduler, () -> {
            begun.add(begun.size());
            throw new StackOverflowError("thrown on purpose");
        });
        failing.start();

        assertThatThrownBy(() -> scheduler.advance(PAUSE)).isInstanceOf(StackOverflowError.class);
        scheduler.advance(3 * PAUSE);
        assertThat(begun).hasSize(4);
    }
}
