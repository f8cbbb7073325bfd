package io.lambdafs.platform.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.local.dashboard.Doors;
import io.lambdafs.platform.local.pool.PoolLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayConfigTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void writeKey() throws Exception {
        ApiKey.of("user:secret").writeTo(directory.resolve("key"));
    }

    @Test
    void shouldTakeDefaultsForWhatIsAbsent() throws Exception {
        GatewayConfig config = load("\"directory\":\"d\"");
        assertThat(config.listen().getAddress().isLoopbackAddress()).isTrue();
        assertThat(config.listen().getPort()).isZero();
        assertThat(config.namespace()).isEqualTo("guest");
        assertThat(config.pool()).isEqualTo(PoolLimits.defaults());
        assertThat(config.logs()).isEqualTo(Path.of("d/logs"));
        assertThat(config.apiKey().matches("Basic dXNlcjpzZWNyZXQ=")).isTrue();
    }

    @Test
    void shouldReadEveryKey() throws Exception {
        GatewayConfig config =
                load("\"listenAddress\":\"127.0.0.2\",\"port\":1234,\"portFile\":\"p\",\"namespace\":\"n\","
                        + "\"directory\":\"d\",\"logsDirectory\":\"l\",\"maxLogBytes\":5000,\"startLimitMillis\":7,"
                        + "\"pool\":{\"memoryMb\":1,\"maxInstances\":2,\"queueLimit\":3,\"queueWaitMillis\":4,"
                        + "\"keepAliveMillis\":5,\"stopGraceMillis\":6,\"prewarm\":0,\"startConcurrency\":8},"
                        + "\"throttle\":{\"perMinute\":9,\"inFlight\":10},"
                        + "\"prices\":{\"usdPerGbSecond\":1.5,\"usdPerMillionRequests\":2.5},"
                        + "\"kinds\":{\"k\":{\"command\":[\"a\",\"{java}\"],\"environment\":{\"E\":\"v\"}}},"
                        + "\"doors\":{\"hdfs\":{\"pidFile\":\"a\",\"portFile\":\"b\",\"metricsPortFile\":\"c\"}}");
        assertThat(config.listen().toString()).isEqualTo("/127.0.0.2:1234");
        assertThat(config.portFile()).contains(Path.of("p"));
        assertThat(config.pool())
                .isEqualTo(new PoolLimits(
                        1, 2, 3, Duration.ofMillis(4), Duration.ofMillis(5), Duration.ofMillis(6), 0, 8));
        assertThat(config.throttle()).isEqualTo(new Throttle.Limits(9, 10));
        assertThat(config.prices().usdPerGbSecond()).isEqualTo(1.5);
        assertThat(config.kinds().get("k").command()).isEqualTo(List.of("a", "{java}"));
        assertThat(config.kinds().get("k").environment()).isEqualTo(Map.of("E", "v"));
        assertThat(config.doors()).isEqualTo(Map.of("hdfs", new Doors.Place(Path.of("a"), Path.of("b"), Path.of("c"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"directory\":\"d\",\"prot\":1|prot",
                "\"directory\":\"d\",\"pool\":{\"memory\":1}|memory",
                "\"directory\":\"d\",\"pool\":{\"prewarm\":-1}|prewarm must be at least 0",
                "\"directory\":\"d\",\"pool\":{\"memoryMb\":\"much\"}|memoryMb",
                "\"directory\":\"d\",\"port\":70000|port",
                "\"directory\":\"d\",\"namespace\":\"a b\"|namespace",
                "\"directory\":\"d\",\"throttle\":{\"perMinute\":0}|throttle.perMinute",
                "\"directory\":\"d\",\"kinds\":{\"k\":{\"command\":[]}}|command is empty",
                "\"directory\":\"d\",\"kinds\":{\"k\":{}}|kinds.k.command",
                "\"directory\":\"d\",\"kinds\":{\"k\":{\"command\":[\"{x}\"]}}|{x}",
                "\"directory\":\"d\",\"doors\":{\"hdfs\":{\"portFile\":\"p\"}}|doors.hdfs must have pidFile",
                "\"port\":1|directory is missing",
                "\"directory\":|not JSON",
            })
    void shouldNameTheKeyThatIsWrong(String keys, String expected) {
        assertThatThrownBy(() -> load(keys))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("config.json")
                .hasMessageContaining(expected);
    }

    @Test
    void shouldTakeTheKeyFromTheEnvironmentWhereNoFileIsNamed() throws Exception {
        Path file = directory.resolve("config.json");
        Files.writeString(file, "{\"directory\":\"d\"}");
        GatewayConfig config = GatewayConfig.load(file, Map.of("LAMBDAFS_GATEWAY_API_KEY", "user:secret"));
        assertThat(config.apiKey().matches("Basic dXNlcjpzZWNyZXQ=")).isTrue();
        assertThat(config.toString()).doesNotContain("secret");
        assertThatThrownBy(() -> GatewayConfig.load(file, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("apiKeyFile is missing");
    }

    private GatewayConfig load(String keys) throws Exception {
        Path file = directory.resolve("config.json");
        Files.writeString(file, "{\"apiKeyFile\":\"" + directory.resolve("key") + "\"," + keys + "}");
        return GatewayConfig.load(file, Map.of());
    }
}
