package io.lambdafs.platform.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.local.GatewayFixture;
import io.lambdafs.rpc.http.HttpClient;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class OpenWhiskDeployerTest {
    private GatewayFixture gateway;
    private OpenWhiskDeployer deployer;

    private final HttpClient http = new HttpClient(Runnable::run);

    @BeforeEach
    void start() throws Exception {
        gateway = new GatewayFixture(UnaryOperator.identity());
        deployer = deployer(gateway.gateway.url(), GatewayFixture.KEY);
    }

    @AfterEach
    void close() {
        http.close();
        gateway.close();
    }

    private OpenWhiskDeployer deployer(URI url, ApiKey key) {
        return new OpenWhiskDeployer(http, url, "_", key, true, Duration.ofSeconds(20));
    }

    @Test
    void shouldCreateUpdateAndRemoveAndRepeatWithoutEffect() throws Exception {
        ActionSpec spec = ActionSpec.of("namenode 0", ActionExec.ofKind("test"), new ActionLimits(30_000, 128, 1, 4))
                .withParameters(Map.of("a", 1L, "b", Map.of("c", true)))
                .withEnvironment(Map.of("STORE", "127.0.0.1:1"));
        assertThat(get(deployer.put(spec))).isEqualTo(OpenWhiskDeployer.Change.CREATED);
        assertThat(get(deployer.put(spec))).isEqualTo(OpenWhiskDeployer.Change.UNCHANGED);
        ActionSpec larger = spec.withLimits(new ActionLimits(30_000, 256, 1, 4));
        assertThat(get(deployer.put(larger))).isEqualTo(OpenWhiskDeployer.Change.UPDATED);
        assertThat(get(deployer.get("namenode 0")).orElseThrow().limits().memoryMb())
                .isEqualTo(256);
        assertThat(get(deployer.list())).containsExactly("namenode 0");
        assertThat(get(deployer.remove("namenode 0"))).isTrue();
        assertThat(get(deployer.remove("namenode 0"))).isFalse();
        assertThat(get(deployer.get("namenode 0"))).isEmpty();
    }

    @Test
    void shouldListMoreThanOnePage() throws Exception {
        for (int i = 0; i < 401; i++) {
            get(deployer.put(ActionSpec.of("f" + i, ActionExec.ofKind("test"), ActionLimits.defaults())));
        }
        assertThat(get(deployer.list())).hasSize(401).doesNotHaveDuplicates();
    }

    @Test
    void shouldTellWhyThePlatformRefuses() throws Exception {
        ActionSpec unknown = ActionSpec.of("f", ActionExec.ofKind("python:3"), ActionLimits.defaults());
        assertThatThrownBy(() -> get(deployer.put(unknown)))
                .hasCauseInstanceOf(DeployException.class)
                .hasMessageContaining("HTTP 400")
                .hasMessageContaining("kind 'python:3' not in [test]");
        OpenWhiskDeployer stranger = deployer(gateway.gateway.url(), ApiKey.of("user:wrong"));
        assertThatThrownBy(() -> get(stranger.list())).hasMessageContaining("has not proved");
        OpenWhiskDeployer trusting = new OpenWhiskDeployer(
                http, gateway.gateway.url(), "_", ApiKey.of("user:wrong"), false, Duration.ofSeconds(20));
        assertThatThrownBy(() -> get(trusting.list())).hasMessageContaining("HTTP 401");
        OpenWhiskDeployer lost = deployer(URI.create("http://127.0.0.1:1"), GatewayFixture.KEY);
        assertThatThrownBy(() -> get(lost.list())).hasCauseInstanceOf(ConnectException.class);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }
}
