package io.lambdafs.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.config.ClientConfig.AntiThrashingUse;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AntiThrashingTest {
    private static final AntiThrashingUse USE =
            new AntiThrashingUse(true, 2.5, Duration.ofMillis(200), Duration.ofSeconds(5));

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ClientMetrics metrics = new ClientMetrics(() -> 0, () -> 0, () -> 0);
    private final AtomicInteger begun = new AtomicInteger();
    private final AntiThrashing thrashing = new AntiThrashing(USE, scheduler, metrics, begun::incrementAndGet);

    private void operations(int count, Duration latency) {
        for (int i = 0; i < count; i++) {
            long start = scheduler.nanoTime();
            scheduler.advance(latency);
            thrashing.ended(start);
        }
    }

    @Test
    void shouldBeginWithAnOperationThatTakesFarLongerThanOthersAndEndInTime() {
        operations(100, Duration.ofMillis(1));
        assertThat(thrashing.isOn()).isFalse();

        operations(1, Duration.ofMillis(300));
        assertThat(thrashing.isOn()).isTrue();

        scheduler.advance(Duration.ofMillis(4_999));
        assertThat(thrashing.isOn()).isTrue();
        scheduler.advance(Duration.ofMillis(2));
        assertThat(thrashing.isOn()).isFalse();
        assertThat(metrics.snapshot().thrashings()).isEqualTo(1);
    }

    @Test
    void shouldTakeNoNoiseForThrashing() {
        operations(100, Duration.ofNanos(80_000));
        operations(10, Duration.ofMillis(199));
        assertThat(thrashing.isOn()).isFalse();
    }

    @Test
    void shouldTakeWhatIsAlwaysSlowForUsual() {
        operations(100, Duration.ofMillis(400));
        operations(100, Duration.ofMillis(900));
        assertThat(thrashing.isOn()).isFalse();

        operations(1, Duration.ofMillis(2_600));
        assertThat(thrashing.isOn()).isTrue();
    }

    @Test
    void shouldNotBeProlongedByWhatIsSlowMeanwhile() {
        operations(100, Duration.ofMillis(1));
        operations(9, Duration.ofMillis(600));
        assertThat(thrashing.isOn()).as("4.8 s after it began").isTrue();
        scheduler.advance(Duration.ofMillis(300));

        assertThat(thrashing.isOn()).as("5.1 s after it began").isFalse();
        operations(1, Duration.ofMillis(600));
        assertThat(thrashing.isOn()).as("again").isTrue();
        assertThat(metrics.snapshot().thrashings()).isEqualTo(2);
        assertThat(begun).hasValue(2);
    }

    @Test
    void shouldDoNothingWhereItIsSwitchedOff() {
        AntiThrashing off = new AntiThrashing(AntiThrashingUse.DEFAULT, scheduler, metrics, begun::incrementAndGet);
        for (int i = 0; i < 100; i++) {
            off.ended(scheduler.nanoTime() - 1_000_000);
        }
        off.ended(scheduler.nanoTime() - 60_000_000_000L);

        assertThat(AntiThrashingUse.DEFAULT.enabled()).isFalse();
        assertThat(off.isOn()).isFalse();
    }
}
