package io.lambdafs.cluster.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.FsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway that answers what it should not, over a real socket. */
class GatewayClientTest {
    private volatile int status = 200;
    private volatile String body = "{}";
    private HttpServer server;

    @BeforeEach
    void listen() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    /** Waits for what a busy machine answers late. */
    private GatewayClient client() {
        return client(server.getAddress().getPort(), Duration.ofSeconds(30));
    }

    /** Does not wait long: nobody answers. */
    private static GatewayClient client(int port) {
        return client(port, Duration.ofMillis(500));
    }

    private static GatewayClient client(int port, Duration patience) {
        return new GatewayClient(URI.create("http://127.0.0.1:" + port), null, patience, Optional.empty());
    }

    private void assertRefusal(int exit, String... words) {
        assertThatThrownBy(() -> client().usage())
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(ExitCode.of(e.code()).number()).isEqualTo(exit))
                .hasMessageContainingAll(words);
    }

    @Test
    void shouldReadWhatAGatewayAnswers() {
        body = "{\"status\":\"ok\",\"maxInstances\":3}";
        assertThat(client().isHealthy()).isTrue();
        assertThat(client().maxInstances()).isEqualTo(3);
    }

    @Test
    void shouldSayThatTheKeyIsWrong() {
        status = 401;
        assertRefusal(1, "does not know the management key");
        assertThat(client().isHealthy()).isFalse();
    }

    @Test
    void shouldSayThatItAnsweredSomethingElse() {
        status = 503;
        assertRefusal(3, "HTTP 503");
        status = 200;
        body = "<html>";
        assertRefusal(3, "does not answer");
        assertThat(client().isHealthy()).isFalse();
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
            // Accepted by the kernel, answered by nobody: it may be dead, or only slow.
            assertThat(client(port).silence().orElseThrow())
                    .containsPattern("127.0.0.1:" + port + " did not answer within [0-9.]+ s$");
        }
        assertThatThrownBy(() -> client(port).usage()).hasMessageContaining("127.0.0.1:" + port + " does not answer");
    }

    @Test
    void shouldTellScriptsOfAnInstance() {
        var node = Json.object();
        new InstanceState("namenode0", "i-1", java.util.OptionalLong.of(7), "busy", 3, 1.5, 12.345, 2_048, 9)
                .write(node);
        assertThat(node)
                .hasToString(Json.object()
                        .put("deployment", "namenode0")
                        .put("id", "i-1")
                        .put("pid", 7L)
                        .put("state", "busy")
                        .put("epoch", 3L)
                        .put("ageSeconds", 1.5)
                        .put("opsPerSecond", 12.3)
                        .put("cacheBytes", 2_048L)
                        .toString());
    }
}
