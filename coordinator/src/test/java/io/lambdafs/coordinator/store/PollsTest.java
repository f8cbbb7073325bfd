package io.lambdafs.coordinator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** When rows are looked at, and what follows from counters that stand still. */
class PollsTest {
    private static final Duration INTERVAL = Times.DEFAULT.lease().dividedBy(8);
    private static final Duration SESSION = Times.DEFAULT.session();
    private static final Duration SLOWEST = Times.DEFAULT.ackWait().dividedBy(16);

    private final ManualScheduler clock = new ManualScheduler();
    private final List<CompletableFuture<List<MemberRow>>> readings = new ArrayList<>();
    private final List<MemberRow> stale = new ArrayList<>();
    private final List<List<MemberRow>> told = new ArrayList<>();
    /** Rows that every reading finds at once, unless the test answers. */
    private List<MemberRow> rows = List.of();

    private boolean isAnswering = true;
    private final MembershipPoll poll = new MembershipPoll(this::read, stale::add, clock, Times.DEFAULT);

    private CompletionStage<List<MemberRow>> read() {
        CompletableFuture<List<MemberRow>> reading = new CompletableFuture<>();
        readings.add(reading);
        if (isAnswering) {
            reading.complete(rows);
        }
        return reading;
    }

    private static MemberRow row(long epoch, long renewals, boolean ended) {
        return new MemberRow(new Member(epoch, 0, "i" + epoch, "h", 1, true), renewals, ended);
    }

    @Test
    void shouldReadFromTheFirstFollowerOnAndOnceForAll() {
        clock.advance(INTERVAL.multipliedBy(3));
        assertThat(readings).isEmpty();
        poll.follow(told::add);
        poll.follow(told::add);
        assertThat(readings).hasSize(1);
        clock.advance(INTERVAL.minusNanos(1));
        assertThat(readings).hasSize(1);
        clock.advance(1);
        assertThat(readings).hasSize(2);
        clock.advance(INTERVAL);
        assertThat(readings).hasSize(3);
    }

    @Test
    void shouldHaveOneReadingUnderWayAtATime() {
        isAnswering = false;
        poll.follow(told::add);
        clock.advance(INTERVAL.multipliedBy(5));
        assertThat(readings).hasSize(1);
        readings.get(0).completeExceptionally(FsException.unavailable("away"));
        assertThat(told).isEmpty();
        clock.advance(INTERVAL);
        assertThat(readings).hasSize(2);
    }

    @Test
    void shouldTellOfChangesOnly() {
        poll.follow(told::add);
        rows = List.of(row(1, 5, false));
        clock.advance(INTERVAL);
        rows = List.of(row(1, 6, false));
        clock.advance(INTERVAL);
        assertThat(told).containsExactly(List.of(), List.of(row(1, 5, false)));
        rows = List.of(row(1, 6, true));
        clock.advance(INTERVAL);
        assertThat(told).hasSize(3);
        poll.follow(told::add);
        clock.advance(INTERVAL);
        assertThat(told).hasSize(4);
    }

    @Test
    void shouldFindStaleWhatStoodStillForASessionAndAgainAfterAnother() {
        rows = List.of(row(1, 5, false), row(2, 5, true));
        poll.follow(told::add);
        clock.advance(SESSION.minusNanos(1));
        assertThat(stale).isEmpty();
        clock.advance(1);
        assertThat(stale).containsExactly(row(1, 5, false));
        clock.advance(SESSION.minusNanos(1));
        assertThat(stale).hasSize(1);
        clock.advance(1);
        assertThat(stale).hasSize(2);
    }

    @Test
    void shouldCountAnewWithEachRenewal() {
        rows = List.of(row(1, 5, false));
        poll.follow(told::add);
        clock.advance(SESSION.minus(INTERVAL));
        rows = List.of(row(1, 6, false));
        clock.advance(SESSION.minus(INTERVAL));
        assertThat(stale).isEmpty();
        clock.advance(INTERVAL.multipliedBy(2));
        assertThat(stale).containsExactly(row(1, 6, false));
    }

    @Test
    void shouldCountFromTheAnswerToTheQuestion() {
        isAnswering = false;
        poll.follow(told::add);
        clock.advance(SESSION);
        readings.get(0).complete(List.of(row(1, 5, false)));
        clock.advance(INTERVAL);
        // Asked before a session had passed since the first answer, answered afterwards.
        clock.advance(SESSION);
        readings.get(1).complete(List.of(row(1, 5, false)));
        assertThat(stale).isEmpty();
        clock.advance(INTERVAL);
        readings.get(2).complete(List.of(row(1, 5, false)));
        assertThat(stale).hasSize(1);
    }

    @Test
    void shouldForgetWhoIsGone() {
        rows = List.of(row(1, 5, false));
        poll.follow(told::add);
        clock.advance(SESSION.minus(INTERVAL));
        rows = List.of();
        clock.advance(INTERVAL);
        rows = List.of(row(1, 5, false));
        clock.advance(SESSION);
        assertThat(stale).isEmpty();
    }

    @Test
    void shouldReadAndTellNothingOnceItIsClosed() {
        poll.follow(told::add);
        isAnswering = false;
        clock.advance(INTERVAL);
        poll.close();
        readings.get(1).complete(List.of(row(1, 5, false)));
        clock.advance(INTERVAL.multipliedBy(3));
        assertThat(told).hasSize(1);
        assertThat(readings).hasSize(2);
        assertThat(clock.timers()).isZero();

        MembershipPoll other = new MembershipPoll(this::read, stale::add, clock, Times.DEFAULT);
        other.close();
        other.follow(told::add);
        assertThat(readings).hasSize(2);
    }

    @Test
    void shouldLookLessAndLessOftenAsLongAsNothingIsFound() {
        Pace pace = new Pace(clock, Times.DEFAULT);
        assertThat(pace.nextNanos(false)).isEqualTo(Pace.FASTEST_NANOS);
        clock.advance(8 * Pace.FASTEST_NANOS + 80);
        assertThat(pace.nextNanos(false)).isEqualTo(Pace.FASTEST_NANOS + 10);
        clock.advance(Duration.ofSeconds(5));
        assertThat(pace.nextNanos(false)).isEqualTo(SLOWEST.toNanos());
        assertThat(pace.nextNanos(true)).isEqualTo(Pace.FASTEST_NANOS);
        clock.advance(16 * Pace.FASTEST_NANOS);
        assertThat(pace.nextNanos(false)).isEqualTo(2 * Pace.FASTEST_NANOS);
    }

    @Test
    void shouldGoOnAfterAListenerThatThrowsAndTellItAgain() {
        List<Integer> tries = new ArrayList<>();
        poll.follow(listed -> {
            tries.add(listed.size());
            if (tries.size() <= 2) {
                throw new IllegalStateException("thrown on purpose");
            }
        });
        poll.follow(told::add);
        clock.advance(INTERVAL);
        assertThat(told).as("what others are told").hasSize(1);
        clock.advance(INTERVAL.multipliedBy(3));
        assertThat(tries).hasSize(3);
        rows = List.of(row(1, 5, false));
        clock.advance(INTERVAL);
        assertThat(tries).containsExactly(0, 0, 0, 1);
        assertThat(told).hasSize(2);
    }

    @Test
    void shouldGoOnAfterAReadingThatThrows() {
        List<Integer> asked = new ArrayList<>();
        MembershipPoll failing = new MembershipPoll(
                () -> {
                    asked.add(asked.size());
                    if (asked.size() == 1) {
                        throw new IllegalStateException("thrown on purpose");
                    }
                    return read();
                },
                stale::add,
                clock,
                Times.DEFAULT);
        failing.follow(told::add);
        clock.advance(INTERVAL);
        assertThat(told).hasSize(1);
    }
}
