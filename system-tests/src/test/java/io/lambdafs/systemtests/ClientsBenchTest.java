package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code bench clients} over the cluster of real processes that it starts. */
@Tag("once")
class ClientsBenchTest {
    @Test
    void shouldGiveEveryFourClientsATcpServerAndConnectEachToAllDeployments() throws Exception {
        CommandRun run = CommandRun.lambdafs(
                "bench",
                "clients",
                "--clients",
                16,
                "--per-server",
                "0,4",
                "--rounds",
                1,
                "--seconds",
                0.2,
                "--warm-up",
                0,
                "--json");

        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode limits = new ObjectMapper().readTree(run.out()).path("limits");
        assertThat(limits).hasSize(2);
        assertOpen(limits.path(0), 1);
        assertOpen(limits.path(1), 4);
    }

    private static void assertOpen(JsonNode limit, int servers) {
        assertThat(limit.path("servers").path("least").asInt()).isEqualTo(servers);
        assertThat(limit.path("servers").path("greatest").asInt()).isEqualTo(servers);
        assertThat(limit.path("connections").path("median").asInt()).isEqualTo(4 * servers);
        assertThat(limit.path("httpCalls").path("least").asInt()).isGreaterThanOrEqualTo(4);
        assertThat(limit.path("opsPerSecond").path("least").asDouble()).isPositive();
    }
}
