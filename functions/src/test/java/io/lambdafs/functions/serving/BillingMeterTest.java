package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BillingMeterTest {
    private final ManualScheduler clock = new ManualScheduler();
    private final BillingMeter meter = new BillingMeter(clock);

    @Test
    void shouldBillNothingWithoutRequests() {
        clock.advance(TimeUnit.MICROSECONDS.toNanos(50_000));
        assertThat(meter.billedMillis()).isZero();
    }

    @Test
    void shouldBillOneSlotForManyShortRequests() {
        for (int i = 0; i < 100; i++) {
            meter.begin();
            meter.end();
        }
        assertThat(meter.billedMillis()).isEqualTo(1);
        clock.advance(TimeUnit.MICROSECONDS.toNanos(1_000));
        meter.begin();
        meter.end();
        assertThat(meter.billedMillis()).isEqualTo(2);
    }

    @Test
    void shouldBillOverlappingRequestsOnce() {
        meter.begin();
        clock.advance(TimeUnit.MICROSECONDS.toNanos(3_000));
        meter.begin();
        clock.advance(TimeUnit.MICROSECONDS.toNanos(3_000));
        meter.end();
        assertThat(meter.billedMillis()).isEqualTo(7);
        clock.advance(TimeUnit.MICROSECONDS.toNanos(4_000));
        assertThat(meter.billedMillis()).isEqualTo(11);
        meter.end();
        clock.advance(TimeUnit.MICROSECONDS.toNanos(90_000));
        assertThat(meter.billedMillis()).isEqualTo(11);
    }

    @Test
    void shouldBillTheUnionOfSlots() {
        Random random = new Random(7);
        BitSet slots = new BitSet();
        int slot = 0;
        int active = 0;
        for (int i = 0; i < 10_000; i++) {
            int gap = random.nextInt(4);
            if (active > 0) {
                slots.set(slot, slot + gap + 1);
            }
            slot += gap;
            clock.advance(TimeUnit.MICROSECONDS.toNanos(gap * 1_000L));
            if (active > 0 && random.nextBoolean()) {
                meter.end();
                active--;
            } else {
                meter.begin();
                active++;
            }
            slots.set(slot);
            assertThat(meter.billedMillis()).isEqualTo(slots.cardinality());
        }
    }

    @Test
    void shouldCountRightWhenUsedByManyThreads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                runs.add(pool.submit(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        meter.begin();
                        meter.end();
                    }
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(meter.billedMillis()).isEqualTo(1);
        clock.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        assertThat(meter.billedMillis()).isEqualTo(1);
    }
}
