package io.lambdafs.rpc.framing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.message.Done;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The wheel under a clock that the test moves. */
class TimeoutWheelTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Deque<Runnable> alarms = new ArrayDeque<>();
    private final List<PendingRequest> expired = new ArrayList<>();
    private Consumer<PendingRequest> onExpiry = expired::add;
    private long now = Long.MAX_VALUE - 3_000 * MILLI;
    private final TimeoutWheel wheel =
            new TimeoutWheel((nanos, task) -> alarms.add(task), () -> now, request -> onExpiry.accept(request));

    private static PendingRequest request(long timeoutNanos) {
        return new PendingRequest(null, Done.DONE, timeoutNanos);
    }

    private PendingRequest add(long timeoutNanos) {
        PendingRequest request = request(timeoutNanos);
        wheel.add(request, now);
        return request;
    }

    private void advance(long nanos) {
        now += nanos;
        for (int ringing = alarms.size(); ringing > 0; ringing--) {
            alarms.remove().run();
        }
    }

    @Test
    void shouldTimeOutNeitherEarlyNorMoreThanTwoTicksLate() {
        Random random = new Random(42);
        Map<PendingRequest, Long> due = new HashMap<>();
        Set<PendingRequest> removed = new HashSet<>();
        Map<PendingRequest, Long> rang = new HashMap<>();
        onExpiry = request -> rang.put(request, now);
        for (int step = 0; step < 20_000; step++) {
            if (step < 10_000) {
                PendingRequest request = add(random.nextLong(12_000) * MILLI);
                due.put(request, now + request.timeoutNanos);
                if (random.nextInt(3) == 0) {
                    wheel.remove(request);
                    removed.add(request);
                }
            }
            advance(random.nextLong(2 * MILLI));
        }
        for (int step = 0; step < 3_000; step++) {
            advance(5 * MILLI);
        }

        assertThat(rang.keySet()).doesNotContainAnyElementsOf(removed);
        assertThat(rang).hasSize(due.size() - removed.size());
        rang.forEach((request, at) -> assertThat(at - due.get(request)).isBetween(0L, 12 * MILLI));
        assertThat(alarms).isEmpty();
    }

    @Test
    void shouldLetCallersAddAndRemoveWhileRequestsTimeOut() {
        PendingRequest first = add(MILLI);
        PendingRequest second = add(500 * MILLI);
        List<PendingRequest> added = new ArrayList<>();
        onExpiry = request -> {
            expired.add(request);
            wheel.remove(second);
            if (added.size() < 3) {
                added.add(add(MILLI));
            }
        };

        for (int i = 0; i < 200; i++) {
            advance(5 * MILLI);
        }

        assertThat(expired).containsExactly(first, added.get(0), added.get(1), added.get(2));
        assertThat(alarms).isEmpty();
    }

    @Test
    void shouldCatchUpAfterALongPause() {
        List<PendingRequest> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            all.add(add(i * 7L * MILLI));
        }

        advance(TimeUnit.HOURS.toNanos(1));

        assertThat(expired).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void shouldRestAndStartAgain() {
        add(MILLI);
        advance(50 * MILLI);
        advance(TimeUnit.HOURS.toNanos(1));
        PendingRequest later = add(20 * MILLI);

        advance(10 * MILLI);
        assertThat(expired).hasSize(1);
        advance(10 * MILLI);
        advance(10 * MILLI);

        assertThat(expired).last().isSameAs(later);
    }

    @Test
    void shouldTakeAnyTimeOut() {
        PendingRequest never = add(Long.MAX_VALUE);
        PendingRequest atOnce = add(-1);

        advance(10 * MILLI);

        assertThat(expired).containsExactly(atOnce);
        wheel.remove(never);
        wheel.remove(never);
        advance(10 * MILLI);
        assertThat(alarms).isEmpty();
    }
}
