package io.lambdafs.cluster.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.settings.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway and its instances, with their pages, on a real socket. */
class GatewayReachTest {
    private static final String METRICS = """
        # HELP lambdafs_cache_hits_total hits
        # TYPE lambdafs_cache_hits_total counter
        lambdafs_cache_hits_total{role="entry"} 5
        lambdafs_cache_hits_total{role="listing"} 90
        # HELP lambdafs_reclaimed_rows_total rows
        # TYPE lambdafs_reclaimed_rows_total counter
        lambdafs_reclaimed_rows_total 7
        # HELP lambdafs_cache_inodes INodes
        # TYPE lambdafs_cache_inodes gauge
        lambdafs_cache_inodes 3
        """;

    @TempDir
    private Path folder;

    private final Map<String, String> pages = new ConcurrentHashMap<>();
    private HttpServer server;
    private URI address;

    @BeforeEach
    void listen() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            String page = pages.get(exchange.getRequestURI().getPath());
            byte[] bytes = String.valueOf(page).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private GatewayClient client() {
        return new GatewayClient(address, null, Duration.ofSeconds(30), Optional.empty());
    }

    private ClientConfig config(boolean proof) throws Exception {
        Path file = Files.writeString(
                folder.resolve("client.json"),
                Json.object()
                        .put("schema", 1)
                        .put("gateway", address.toString())
                        .put("deployments", 1)
                        .put("gatewayProof", proof)
                        .put("insecure", true)
                        .toString());
        return ClientConfig.load(file);
    }

    @Test
    void shouldOnlyConnectToAPlatform() throws Exception {
        ClientConfig platform = config(false);
        assertThat(GatewayReach.where(platform)).isEqualTo(address);
        assertThat(GatewayReach.answers(platform)).isTrue();
        close();
        assertThat(GatewayReach.silence(platform)).contains("the platform at " + address + " takes no connections");
        assertThat(GatewayReach.answers(platform)).isFalse();
    }

    @Test
    void shouldAskAGatewayWhetherItIsWell() throws Exception {
        pages.put("/healthz", "{\"status\":\"ok\"}");
        assertThat(GatewayReach.silence(config(true))).isEmpty();
        pages.put("/healthz", "{\"status\":\"starting\"}");
        assertThat(GatewayReach.silence(config(true)))
                .contains("the gateway " + address + " does not answer that it is well");
    }

    /** Tells the gateway of an instance with pages, and of one that has gone. */
    private void instances() {
        pages.put("/one/metrics", METRICS);
        pages.put("/one/healthz", "{\"epoch\":4}");
        pages.put(
                "/lambdafs/v1/instances",
                Json.object()
                        .set(
                                "instances",
                                Json.MAPPER.valueToTree(List.of(
                                        Map.of(
                                                "id",
                                                "i-1",
                                                "deployment",
                                                "namenode0",
                                                "pid",
                                                7,
                                                "state",
                                                "busy",
                                                "endpoint",
                                                address + "/one"),
                                        Map.of("id", "i-2", "endpoint", address + "/gone"))))
                        .toString());
    }

    @Test
    void shouldCountOfTheInstancesThatAnswer() {
        instances();
        assertThat(client().instances())
                .extracting(each -> each.path("id").asText())
                .containsExactly("i-1", "i-2");
        assertThat(InstanceState.entryHits(client())).isEqualTo(Map.of("i-1", 5L));
        assertThat(InstanceState.reclaimedRows(client())).isEqualTo(Map.of("i-1", 7L));
    }

    @Test
    void shouldTellTheStateOfEachInstance() {
        instances();
        JsonNode known = client().instances();
        List<InstanceState> states = InstanceState.ask(client(), known);
        assertThat(states)
                .containsExactly(
                        new InstanceState("namenode0", "i-1", OptionalLong.of(7), "busy", 4, 0, 0, 0, 3),
                        new InstanceState("", "i-2", OptionalLong.empty(), "", 0, 0, 0, 0, 0));
        assertThat(states.get(1).line()).startsWith("(prewarmed)  i-2 ").contains(" pid - ");
    }

    @Test
    void shouldTakeAHealthPageThatIsNoJsonForNone() {
        instances();
        pages.put("/one/healthz", "well");
        assertThat(InstanceState.ask(client(), client().instances()).get(0).epoch())
                .isZero();
    }
}
