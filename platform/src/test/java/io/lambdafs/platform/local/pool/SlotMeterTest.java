package io.lambdafs.platform.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.platform.Prices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotMeterTest {
    private static final long MILLI = 1_000_000;

    private final SlotMeter meter = new SlotMeter();

    @Test
    void shouldBillTheSlotThatAShortRequestTouches() {
        meter.begin(5 * MILLI + 10);
        meter.end(5 * MILLI + 20);
        assertThat(meter.billedMillis(100 * MILLI)).isEqualTo(1);
    }

    @Test
    void shouldBillASlotOnceHoweverManyRequestsTouchIt() {
        for (int i = 0; i < 10; i++) {
            meter.begin(5 * MILLI + i * 1000L);
            meter.end(5 * MILLI + i * 1000L + 500);
        }
        meter.begin(6 * MILLI);
        meter.end(6 * MILLI);
        assertThat(meter.billedMillis(100 * MILLI)).isEqualTo(2);
    }

    @Test
    void shouldBillOverlapOnceAndGapsNever() {
        meter.begin(0);
        meter.begin(3 * MILLI);
        meter.end(5 * MILLI);
        meter.end(9 * MILLI); // slots 0 to 9
        meter.begin(20 * MILLI);
        meter.end(21 * MILLI); // slots 20 and 21
        assertThat(meter.billedMillis(100 * MILLI)).isEqualTo(12);
    }

    @Test
    void shouldBillWhatIsUnderWayUpToNow() {
        meter.begin(10 * MILLI);
        assertThat(meter.billedMillis(10 * MILLI)).isEqualTo(1);
        assertThat(meter.billedMillis(14 * MILLI)).isEqualTo(5);
        meter.end(14 * MILLI);
        assertThat(meter.billedMillis(50 * MILLI)).isEqualTo(5);
    }

    @Test
    void shouldRefuseAnEndWithoutABeginning() {
        assertThatThrownBy(() -> meter.end(0)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldEqualTheUnionOfSlotsForAnyRequests(long seed) {
        Random random = new Random(seed);
        record Edge(long at, int change) {}
        List<Edge> edges = new ArrayList<>();
        Set<Long> slots = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            // Also before zero: a monotonic clock may be negative.
            long begin = random.nextLong(400 * MILLI) - 200 * MILLI;
            long end = begin + random.nextLong(4 * MILLI);
            edges.add(new Edge(begin, 1));
            edges.add(new Edge(end, -1));
            for (long slot = Math.floorDiv(begin, MILLI); slot <= Math.floorDiv(end, MILLI); slot++) {
                slots.add(slot);
            }
        }
        edges.sort(Comparator.comparingLong(Edge::at).thenComparing(Edge::change, Comparator.reverseOrder()));
        edges.forEach(edge -> {
            if (edge.change() > 0) {
                meter.begin(edge.at());
            } else {
                meter.end(edge.at());
            }
        });
        assertThat(meter.billedMillis(1000 * MILLI)).isEqualTo(slots.size());
    }

    @Test
    void shouldPriceMemoryOverTimeAndRequests() {
        Prices prices = Prices.lambda();
        assertThat(prices.usd(1024L * 1000, 0)).isEqualTo(0.0000166667);
        assertThat(prices.usd(0, 5_000_000)).isEqualTo(1.0);
        assertThat(prices.usd(512L * 2000, 1_000_000)).isEqualTo(0.0000166667 + 0.20);
    }
}
