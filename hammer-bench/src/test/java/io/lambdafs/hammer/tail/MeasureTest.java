package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import java.net.URI;
import org.junit.jupiter.api.Test;

final class MeasureTest {
    private static ClientConfigBuilder builder() {
        return ClientConfig.builder().insecure(true).gateway(URI.create("http://127.0.0.1:1"));
    }

    private static ClientConfig config(Measure measure, boolean on) {
        return measure.configure(builder(), on).build();
    }

    @Test
    void shouldSwitchItsMeasureAlone() {
        ClientConfig usual = builder().build();
        assertThat(config(Measure.STRAGGLERS, false).stragglers().enabled()).isFalse();
        assertThat(config(Measure.STRAGGLERS, true).stragglers().enabled()).isTrue();
        assertThat(config(Measure.STRAGGLERS, false).antiThrashing()).isEqualTo(usual.antiThrashing());
        assertThat(config(Measure.THRASHING, false).antiThrashing().enabled()).isFalse();
        assertThat(config(Measure.THRASHING, true).antiThrashing().enabled()).isTrue();
        assertThat(config(Measure.THRASHING, false).stragglers()).isEqualTo(usual.stragglers());
    }

    @Test
    void shouldStartTheClusterThatItNeeds() {
        assertThat(Measure.STRAGGLERS.startOptions().options())
                .hasToString(
                        "{\"deployments\":1,\"pool\":{\"maxInstances\":2,\"prewarm\":0,\"keepAliveMillis\":3600000},"
                                + "\"instance\":{\"cpuShare\":0,\"concurrency\":1,\"maxInFlight\":8},\"store\":{\"heapMb\":128}}");
        assertThat(Measure.THRASHING.startOptions().options())
                .hasToString("{\"deployments\":4,\"pool\":{\"memoryMb\":512,\"prewarm\":0},"
                        + "\"instance\":{\"memoryMb\":256,\"cpuShare\":0},\"store\":{\"heapMb\":128}}");
    }

    @Test
    void shouldWriteOnlyWhereWritesTellSomething() {
        assertThat(Measure.STRAGGLERS.writes()).isZero();
        assertThat(Measure.THRASHING.writes()).isEqualTo(0.05);
        assertThat(Measure.THRASHING.label()).isEqualTo("thrashing");
    }
}
