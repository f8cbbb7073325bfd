package io.lambdafs.coordinator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryNetworkTest {
    private final ManualScheduler clock = new ManualScheduler();
    private final MemoryNetwork network = new MemoryNetwork(clock);

    @Test
    void shouldDeliverAtOnceUntilItHasALatency() {
        List<String> delivered = new ArrayList<>();
        network.after(() -> delivered.add("at once"));
        assertThat(delivered).containsExactly("at once");
        network.setLatency(Duration.ofNanos(2));
        network.after(() -> delivered.add("later"));
        clock.advance(1);
        assertThat(delivered).containsExactly("at once");
        clock.advance(1);
        assertThat(delivered).containsExactly("at once", "later");
    }
}
