package io.lambdafs.platform.local.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.GatewayFixture;
import io.lambdafs.rpc.http.HttpCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class DashboardApiTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final ApiKey MANAGEMENT = ApiKey.of("lambdafs:manager");

    private static HttpResponse<InputStream> get(GatewayFixture gateway, String address) throws Exception {
        return gateway.http.send(
                HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** The next message of a name. */
    private static JsonNode next(BufferedReader events, String name) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.equals("event: " + name)) {
                return Json.mapper().readTree(events.readLine().substring("data: ".length()));
            }
        }
        throw new AssertionError("the stream has ended");
    }

    @Test
    void shouldServeAPageThatLoadsNothingElse() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(UnaryOperator.identity())) {
            HttpResponse<InputStream> page = get(gateway, gateway.gateway.url() + "/dashboard");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
            String html = new String(page.body().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(html).doesNotContain("{{", " src=", "@import", "sourceMappingURL");
            assertThat(html).contains("Chart.js v", "prefers-color-scheme: dark");
            assertThat(page.headers().firstValue("content-security-policy").orElse(""))
                    .contains("script-src 'sha256-", "style-src 'sha256-", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(get(gateway, gateway.gateway.url() + "/dashboard/other").statusCode())
                    .isEqualTo(404);
            assertThat(gateway.send("POST", "/dashboard", "").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void shouldTellOfInstancesAsTheyComeAndGoAndOfLoad() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(UnaryOperator.identity())) {
            gateway.put("f3", 1);
            HttpResponse<InputStream> stream = get(gateway, gateway.gateway.url() + "/dashboard/events");
            assertThat(stream.headers().firstValue("content-type")).contains("text/event-stream");
            BufferedReader events = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
            assertThat(next(events, "all").path("maxInstances").asInt()).isPositive();
            CompletableFuture<HttpResponse<String>> call = gateway.invoke("f3", "?blocking=true", "{}");
            JsonNode started = event(events, "started");
            assertThat(started.path("deployment").asText()).isEqualTo("f3");
            JsonNode second = next(events, "second");
            assertThat(second.path("instances").get(0).path("id").asText())
                    .isEqualTo(started.path("instance").asText());
            assertThat(second.path("deployments").get(0).path("instances").asInt())
                    .isEqualTo(1);
            gateway.releaseAll();
            call.get();
            gateway.gateway.pool().kill(started.path("instance").asText());
            JsonNode killed = event(events, "killed");
            assertThat(killed.path("text").asText()).isEqualTo("asked for");
            assertThat(killed.path("number").asLong())
                    .isGreaterThan(started.path("number").asLong());
            stream.body().close();
        }
    }

    @Test
    void shouldShowPathsToHoldersOfTheKeyAlone() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(UnaryOperator.identity())) {
            URI address = gateway.gateway.url().resolve("/dashboard/events");
            long now = System.currentTimeMillis();
            String token = new DashboardTokens(GatewayFixture.KEY).issue(now);
            String old = new DashboardTokens(GatewayFixture.KEY).issue(now - TimeUnit.HOURS.toMillis(13));
            BufferedReader bare = watch(gateway, HttpRequest.newBuilder(address));
            BufferedReader guess = watch(gateway, bearer(address, token + "0"));
            BufferedReader expired = watch(gateway, bearer(address, old));
            BufferedReader inAddress = watch(gateway, HttpRequest.newBuilder(URI.create(address + "?token=" + token)));
            BufferedReader wrongKey = watch(
                    gateway,
                    HttpRequest.newBuilder(address)
                            .header("Authorization", ApiKey.of("user:wrong").authorization()));
            BufferedReader byToken = watch(gateway, bearer(address, token));
            BufferedReader byKey = watch(
                    gateway,
                    HttpRequest.newBuilder(address).header("Authorization", GatewayFixture.KEY.authorization()));

            String renewed = next(byToken, "all").path("token").asText();
            assertThat(new DashboardTokens(GatewayFixture.KEY).isValid(renewed, now))
                    .isTrue();
            assertThat(next(byToken, "slowest").isArray()).isTrue();
            assertThat(next(byKey, "slowest").isArray()).isTrue();
            for (BufferedReader each : List.of(bare, guess, expired, inAddress, wrongKey)) {
                // What was sent to all comes before the seconds after.
                assertThat(untilSeconds(each, 3))
                        .doesNotContain("event: slowest")
                        .noneMatch(line -> line.contains("token"));
            }
        }
    }

    private static HttpRequest.Builder bearer(URI address, String token) {
        return HttpRequest.newBuilder(address).header("Authorization", "Bearer " + token);
    }

    private static BufferedReader watch(GatewayFixture gateway, HttpRequest.Builder request) throws Exception {
        InputStream events = gateway.http
                .send(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                .body();
        return new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
    }

    /** Everything up to so many messages of a second. */
    private static List<String> untilSeconds(BufferedReader events, int count) throws IOException {
        List<String> lines = new ArrayList<>();
        int seconds = 0;
        while (seconds < count) {
            String line = events.readLine();
            lines.add(line);
            seconds += line.equals("event: second") ? 1 : 0;
        }
        return lines;
    }

    private static JsonNode event(BufferedReader events, String kind) throws IOException {
        while (true) {
            for (JsonNode each : next(events, "second").path("events")) {
                if (each.path("kind").asText().equals(kind)) {
                    return each;
                }
            }
        }
    }

    @Test
    void shouldTakeNoMoreViewersThanItsBoundAndForgetThoseWhoLeave() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(UnaryOperator.identity())) {
            String address = gateway.gateway.url() + "/dashboard/events";
            InputStream first = get(gateway, address).body();
            for (int i = 1; i < Dashboard.MAX_VIEWERS; i++) {
                get(gateway, address);
            }
            await().until(() -> get(gateway, address).statusCode() == 503);
            first.close();
            await().until(() -> get(gateway, address).statusCode() == 200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:8080,    false, true",
        "127.0.0.1, localhost,         false, true",
        "::1,       [::1]:8080,        false, true",
        "127.0.0.1, stranger.org:8080, false, false",
        "127.0.0.1, 127.0.0.1.evil.org,false, false",
        "127.0.0.1, '',                false, false",
        "10.1.2.3,  127.0.0.1,         false, false",
        "10.1.2.3,  cluster:8080,      true,  true"
    })
    void shouldLetLookWhoHasTheTokenOrIsOnThisMachine(String from, String host, boolean hasToken, boolean allowed) {
        String token = new DashboardTokens(MANAGEMENT).issue(NOW);
        HttpCall call = new HttpCall(
                "GET",
                "/dashboard/events",
                Map.of(),
                Map.of("host", host, "authorization", "Bearer " + (hasToken ? token : "guess")),
                new byte[0],
                new InetSocketAddress(from, 1234));
        assertThat(DashboardApi.allows(MANAGEMENT, NOW, call)).isEqualTo(allowed);
    }
}
