package io.lambdafs.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServersTest {
    private final ProcessHandle self = ProcessHandle.current();

    @Test
    void shouldCountANewcomerFromItsStartAndNothingOfWhoWent() {
        ProcessHandle parent = self.parent().orElseThrow();
        Map<ProcessHandle, Duration> before = Map.of(self, Duration.ofMillis(100));
        assertThat(Servers.between(before, Map.of(self, Duration.ofMillis(150), parent, Duration.ofMillis(30))))
                .isEqualTo(Duration.ofMillis(80));
        assertThat(Servers.between(before, Map.of())).isZero();
        assertThat(Servers.between(before, Map.of(self, Duration.ofMillis(90)))).isZero();
    }

    @Test
    void shouldReadTheCpuTimeOfWhatIsNamed() {
        Servers servers = () -> List.of(new Servers.Server("this", self));
        assertThat(servers.cpu()).containsOnlyKeys(self);
        assertThat(servers.cpu().get(self)).isPositive();
        assertThat(Servers.UNKNOWN.cpu()).isEmpty();
    }
}
