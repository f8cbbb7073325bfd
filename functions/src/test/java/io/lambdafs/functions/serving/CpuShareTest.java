package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CpuShareTest {
    private final ManualScheduler scheduler = new ManualScheduler();
    private long usedNanos;

    private CpuShare share(double vcpus) {
        return new CpuShare(vcpus, () -> usedNanos, scheduler);
    }

    private void useMillis(double millis) {
        usedNanos += (long) (millis * 1_000_000);
    }

    @Test
    void shouldNotLimitAShareOfZero() {
        CpuShare unlimited = share(0);
        useMillis(1e6);
        assertThat(unlimited.mayServe()).isTrue();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldRefuseWhenTheBurstIsUsedUpAndServeAgainInProportionToTime() {
        CpuShare half = share(0.5);
        assertThat(half.mayServe()).isTrue();
        useMillis(60);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        // 50 ms of burst - 60 ms used + 2.5 ms filled
        assertThat(half.mayServe()).isFalse();
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(10_000));
        assertThat(half.mayServe()).isFalse();
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(10_000));
        assertThat(half.mayServe()).isTrue();
    }

    @Test
    void shouldGrantTheWarmUpAllowanceOnce() {
        CpuShare half = new CpuShare(0.5, () -> usedNanos, scheduler, 1_000_000_000, new Steadiness());
        assertThat(half.mayServe()).isTrue();
        useMillis(900);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        assertThat(half.mayServe()).isTrue();
        useMillis(200);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        // 50 ms of burst + 1,000 ms allowance - 1,100 ms used + 5 ms filled
        assertThat(half.mayServe()).isFalse();
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(10_000_000));
        assertThat(half.mayServe()).isTrue();
        useMillis(60);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        assertThat(half.mayServe()).isFalse();
    }

    @Test
    void shouldAllowNoMoreThanItsShareInTheLongRun() {
        CpuShare quarter = share(0.25);
        int served = 0;
        for (int i = 0; i < 10_000; i++) {
            if (quarter.mayServe()) {
                served++;
                useMillis(1);
            }
            scheduler.advance(TimeUnit.MICROSECONDS.toNanos(1_000));
        }
        assertThat(served).isBetween(2_500, 2_550);
    }

    @Test
    void shouldRunWaitingTasksInOrderAsTokensComeBack() {
        CpuShare tenth = share(0.1);
        List<Integer> ran = new ArrayList<>();
        assertThat(tenth.whenServed(() -> ran.add(-1))).isTrue();
        useMillis(14);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        for (int i = 0; i < 20; i++) {
            int number = i;
            assertThat(tenth.whenServed(() -> {
                        ran.add(number);
                        useMillis(1);
                    }))
                    .isTrue();
        }
        assertThat(ran).containsExactly(-1);
        assertThat(tenth.waiting()).isEqualTo(20);
        assertThat(tenth.mayServe()).isFalse();
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(100_000));
        assertThat(ran.size()).isBetween(5, 14);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(400_000));
        assertThat(ran).hasSize(21).isSorted();
    }

    @Test
    void shouldRefuseWhenTooManyWait() {
        CpuShare tenth = share(0.1);
        assertThat(tenth.mayServe()).isTrue();
        useMillis(1_000);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        for (int i = 0; i < CpuShare.MAX_WAITING; i++) {
            assertThat(tenth.whenServed(() -> {})).isTrue();
        }
        assertThat(tenth.whenServed(() -> {})).isFalse();
    }

    @Test
    void shouldStopSamplingWhenIdleAndBeginAgain() {
        CpuShare one = share(1);
        assertThat(one.mayServe()).isTrue();
        assertThat(scheduler.timers()).isEqualTo(1);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(500_000));
        assertThat(scheduler.timers()).isZero();
        useMillis(5_000);
        assertThat(one.mayServe()).isTrue();
        useMillis(120);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        assertThat(one.mayServe()).isFalse();
    }

    @Test
    void shouldMeasureTheThreadsThatItIsToldOf() {
        ServingThreads mine = new ServingThreads(List.of(Thread.currentThread().getName()));
        ServingThreads others = new ServingThreads(List.of("no thread has this name"));
        long before = mine.getAsLong();
        long junk = 0;
        for (int i = 0; mine.getAsLong() < before + 2_000_000 && i < 10_000_000; i++) {
            junk += i;
        }
        assertThat(junk).isPositive();
        assertThat(mine.getAsLong()).isGreaterThanOrEqualTo(before + 2_000_000);
        assertThat(others.getAsLong()).isZero();
    }

    @Test
    void shouldGoOnAfterATaskThatThrows() {
        CpuShare tenth = share(0.1);
        List<Integer> ran = new ArrayList<>();
        assertThat(tenth.mayServe()).isTrue();
        useMillis(14);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        for (int i = 0; i < 3; i++) {
            int number = i;
            tenth.whenServed(() -> {
                ran.add(number);
                throw new IllegalStateException("thrown on purpose");
            });
        }
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(500_000));
        assertThat(ran).containsExactly(0, 1, 2);
        assertThat(tenth.waiting()).isZero();
    }
}
