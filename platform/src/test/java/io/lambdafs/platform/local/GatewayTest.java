package io.lambdafs.platform.local;

import static io.lambdafs.platform.local.GatewayFixture.action;
import static io.lambdafs.platform.local.GatewayFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.AddressUnavailableException;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayTest {
    private static final String ACTIONS = "/api/v1/namespaces/_/actions";
    private static final String ACTIVATIONS = "/api/v1/namespaces/guest/activations";

    private GatewayFixture gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new GatewayFixture(UnaryOperator.identity());
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void restart(UnaryOperator<GatewayConfig> change) throws Exception {
        gateway.close();
        gateway = new GatewayFixture(change);
    }

    @Test
    void shouldPutGetListUpdateAndDeleteActions() throws Exception {
        HttpResponse<String> created = gateway.send(
                "PUT",
                ACTIONS + "/f",
                "{\"exec\":{\"kind\":\"test\",\"main\":\"m\"},\"limits\":{\"timeout\":1000},"
                        + "\"parameters\":[{\"key\":\"p\",\"value\":1},{\"key\":\"e\",\"value\":\"x\",\"init\":true}],"
                        + "\"annotations\":[{\"key\":\"a\",\"value\":true}]}");
        assertThat(created.statusCode()).isEqualTo(200);
        assertThat(json(created).path("version").asText()).isEqualTo("0.0.1");
        assertThat(json(created).path("namespace").asText()).isEqualTo("guest");
        assertThat(json(created).path("limits").toString())
                .isEqualTo("{\"timeout\":1000,\"memory\":256,\"logs\":10,\"concurrency\":1}");
        HttpResponse<String> again = gateway.send("PUT", ACTIONS + "/f", action(1));
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(json(again).path("error").asText()).isEqualTo("resource already exists");
        HttpResponse<String> updated =
                gateway.send("PUT", ACTIONS + "/f?overwrite=true", "{\"limits\":{\"concurrency\":3}}");
        assertThat(json(updated).path("version").asText()).isEqualTo("0.0.2");
        assertThat(json(updated).path("limits").path("timeout").asInt()).isEqualTo(1000);
        assertThat(json(updated).path("parameters")).hasSize(2);
        assertThat(json(gateway.send("GET", ACTIONS + "/f", ""))
                        .path("exec")
                        .path("main")
                        .asText())
                .isEqualTo("m");
        gateway.put("g", 1);
        assertThat(json(gateway.send("GET", ACTIONS, "")))
                .extracting(each -> each.path("name").asText())
                .containsExactly("f", "g");
        assertThat(json(gateway.send("GET", ACTIONS + "?limit=1&skip=1", "")))
                .extracting(each -> each.path("name").asText())
                .containsExactly("g");
        assertThat(gateway.send("DELETE", ACTIONS + "/f", "").statusCode()).isEqualTo(200);
        assertThat(gateway.send("DELETE", ACTIONS + "/f", "").statusCode()).isEqualTo(404);
        HttpResponse<String> gone = gateway.send("GET", ACTIONS + "/f", "");
        assertThat(gone.statusCode()).isEqualTo(404);
        assertThat(json(gone).path("error").asText()).isEqualTo("The requested resource does not exist.");
        assertThat(json(gone).path("code").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"exec\":{\"kind\":\"unknown\"}}",
                "{\"exec\":{}}",
                "{}",
                "[]",
                "{\"exec\":",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"memory\":100000}}",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"timeout\":400000}}",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"timeout\":1}}",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"logs\":11}}",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"concurrency\":0}}",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"concurrency\":100000}}",
                "{\"exec\":{\"kind\":\"test\"},\"limits\":{\"memory\":\"big\"}}",
                "{\"exec\":{\"kind\":\"test\"},\"parameters\":[1]}"
            })
    void shouldRefuseAWrongActionWith400(String body) throws Exception {
        HttpResponse<String> response = gateway.send("PUT", ACTIONS + "/f", body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).path("error").asText()).startsWith("The request content was malformed:\n");
        assertThat(gateway.send("GET", ACTIONS + "/f", "").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldAnswerABlockingCallWith200AndTheResultOrTheRecord() throws Exception {
        gateway.put("f", 2);
        CompletableFuture<HttpResponse<String>> result = gateway.invoke("f", "?blocking=true&result=true", "{\"x\":1}");
        CompletableFuture<HttpResponse<String>> record = gateway.invoke("f", "?blocking&timeout=60000", "");
        await().until(() -> gateway.held() == 2);
        gateway.releaseAll();
        assertThat(result.get().statusCode()).isEqualTo(200);
        assertThat(result.get().body()).isEqualTo("{\"echo\":{\"x\":1}}");
        JsonNode activation = json(record.get());
        assertThat(activation.path("response").path("success").asBoolean()).isTrue();
        assertThat(activation.path("response").path("result").toString()).isEqualTo("{\"echo\":{}}");
        assertThat(record.get().headers().firstValue("X-Openwhisk-Activation-Id"))
                .contains(activation.path("activationId").asText());
        assertThat(activation.path("annotations"))
                .extracting(each -> each.path("key").asText())
                .contains("path", "kind", "waitTime", "limits", "coldStart");
    }

    @Test
    void shouldAnswer202WhenNotBlockingAndWhenTheWaitEnds() throws Exception {
        gateway.put("f", 2);
        HttpResponse<String> unblocked = gateway.invoke("f", "", "{}").get();
        assertThat(unblocked.statusCode()).isEqualTo(202);
        String id = json(unblocked).path("activationId").asText();
        HttpResponse<String> impatient =
                gateway.invoke("f", "?blocking=true&timeout=50", "{}").get();
        assertThat(impatient.statusCode()).isEqualTo(202);
        assertThat(json(impatient).path("activationId").asText()).hasSize(32).isNotEqualTo(id);
        assertThat(gateway.send("GET", ACTIVATIONS + "/" + id, "").statusCode()).isEqualTo(404);
        await().until(() -> gateway.held() == 2);
        gateway.releaseAll();
        await().until(() -> gateway.send("GET", ACTIVATIONS + "/" + id, "").statusCode() == 200);
        JsonNode activation = json(gateway.send("GET", ACTIVATIONS + "/" + id, ""));
        assertThat(activation.path("name").asText()).isEqualTo("f");
        assertThat(activation.path("end").asLong() - activation.path("start").asLong())
                .isEqualTo(activation.path("duration").asLong());
        JsonNode kept = json(gateway.send("GET", ACTIVATIONS + "/" + id + "/result", ""));
        assertThat(kept.path("status").asText()).isEqualTo("success");
        // It may be a user's file.
        assertThat(kept.path("result")).isEmpty();
        assertThat(kept.path("size").asInt()).isEqualTo("{\"echo\":{}}".length());
        assertThat(gateway.send("GET", ACTIVATIONS + "?docs=true", "").body()).doesNotContain("echo");
        assertThat(gateway.send("GET", ACTIVATIONS + "/" + id + "/logs", "").body())
                .isEqualTo("{\"logs\":[]}");
        assertThat(json(gateway.send("GET", ACTIVATIONS + "?name=f&limit=10", "")))
                .hasSize(2);
        assertThat(json(gateway.send("GET", ACTIVATIONS + "?name=other", ""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "60001", "-1", "soon"})
    void shouldRefuseAnImpossibleTimeout(String timeout) throws Exception {
        gateway.put("f", 1);
        HttpResponse<String> response =
                gateway.invoke("f", "?blocking=true&timeout=" + timeout, "{}").get();
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("Timeout must be number of milliseconds up to 60000.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "text", "{\"a\":", "{} {}", "null"})
    void shouldRefuseAPayloadThatIsNoObject(String payload) throws Exception {
        gateway.put("f", 1);
        assertThat(gateway.invoke("f", "?blocking=true", payload).get().statusCode())
                .isEqualTo(400);
    }

    @Test
    void shouldRefuseAPayloadOverTheLimitWith413() throws Exception {
        gateway.put("f", 1);
        HttpResponse<String> response = gateway.invoke("f", "?blocking=true", "{\"x\":\"" + "y".repeat(1 << 20) + "\"}")
                .get();
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(json(response).path("error").asText()).contains("larger than allowed");
    }

    @Test
    void shouldAnswer404ForWhatIsNotThere() throws Exception {
        assertThat(gateway.invoke("f", "?blocking=true", "{}").get().statusCode())
                .isEqualTo(404);
        assertThat(gateway.send("GET", ACTIVATIONS + "/" + "0".repeat(32), "").statusCode())
                .isEqualTo(404);
        assertThat(gateway.send("GET", ACTIVATIONS + "/short", "").statusCode()).isEqualTo(400);
        assertThat(gateway.send("GET", "/api/v1/namespaces/_/rules/r", "").statusCode())
                .isEqualTo(404);
        assertThat(gateway.send("GET", ACTIONS + "/package/f", "").statusCode()).isEqualTo(404);
        assertThat(gateway.send("GET", "/api", "").statusCode()).isEqualTo(404);
        assertThat(gateway.send("PATCH", ACTIONS + "/f", "").statusCode()).isEqualTo(405);
        assertThat(gateway.send("GET", "/api/v1/namespaces/other/actions", "").statusCode())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic dXNlcjp3cm9uZw==", "Bearer x", "Basic", "basic dXNlcjpzZWNyZXQ"})
    void shouldAnswer401WithoutTheRightKey(String authorization) throws Exception {
        for (String path : List.of(ACTIONS, "/lambdafs/v1/usage", "/lambdafs/v1/instances/i/kill", "/elsewhere")) {
            HttpRequest.Builder request = gateway.request(path).POST(HttpRequest.BodyPublishers.noBody());
            if (!authorization.isEmpty()) {
                request.header("Authorization", authorization);
            }
            HttpResponse<String> response = gateway.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.headers().firstValue("WWW-Authenticate")).isPresent();
        }
    }

    @Test
    void shouldLetTheKeyToCallDoNothingElse() throws Exception {
        ApiKey manages = ApiKey.of("manager:secret");
        restart(config -> config.withManagementKey(manages));
        String action = GatewayFixture.action(1);
        assertThat(gateway.send("PUT", ACTIONS + "/f", action).statusCode()).isEqualTo(403);
        assertThat(gateway.sendAsync(manages, "PUT", ACTIONS + "/f", action)
                        .get()
                        .statusCode())
                .isEqualTo(200);
        for (ApiKey key : List.of(GatewayFixture.KEY, manages)) {
            assertThat(gateway.sendAsync(key, "POST", ACTIONS + "/f", "{}")
                            .get()
                            .statusCode())
                    .isEqualTo(202);
        }
        for (String request : List.of(
                "GET " + ACTIONS,
                "GET " + ACTIONS + "/f",
                "DELETE " + ACTIONS + "/f",
                "GET " + ACTIVATIONS + "?docs=true",
                "GET /lambdafs/v1/usage",
                "PUT /lambdafs/v1/scaling",
                "POST /lambdafs/v1/instances/i/kill")) {
            String[] parts = request.split(" ");
            assertThat(gateway.send(parts[0], parts[1], "").statusCode())
                    .as(request)
                    .isEqualTo(403);
        }
        assertThat(gateway.sendAsync(manages, "GET", "/lambdafs/v1/usage", "")
                        .get()
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldTellTheNamespaceOfTheKey() throws Exception {
        assertThat(gateway.send("GET", "/api/v1/namespaces", "").body()).isEqualTo("[\"guest\"]");
        assertThat(gateway.send("GET", "/api/v1/namespaces/", "").body()).isEqualTo("[\"guest\"]");
        assertThat(gateway.send("POST", "/api/v1/namespaces", "").statusCode()).isEqualTo(405);
    }

    @Test
    void shouldTakeNoBodyFromWhoHasNoKey() throws Exception {
        for (String path : List.of(ACTIONS + "/f", "/healthz", "/metrics")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.gateway.port())) {
                socket.setSoTimeout(300_000);
                String head = "POST " + path + " HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith(path.startsWith("/api") ? "HTTP/1.1 401 " : "HTTP/1.1 405 ");
            }
        }
    }

    @Test
    void shouldProveToKnowItsKeys() throws Exception {
        try (HttpClient client = new HttpClient(Runnable::run)) {
            io.lambdafs.rpc.http.HttpRequest health = io.lambdafs.rpc.http.HttpRequest.get(
                    URI.create(gateway.gateway.url() + "/healthz"), 1_000, TimeUnit.SECONDS.toNanos(20));
            assertThat(client.send(health.demanding(GatewayFixture.KEY.secret()))
                            .toCompletableFuture()
                            .get()
                            .status())
                    .isEqualTo(200);
            assertThatThrownBy(() -> client.send(health.demanding(Secret.generate()))
                            .toCompletableFuture()
                            .get())
                    .hasMessageContaining("has not proved");
        }
    }

    @Test
    void shouldAnswer502ForErrorsOfTheFunctionAndOfAKilledInstance() throws Exception {
        gateway.put("f", 1);
        CompletableFuture<HttpResponse<String>> failed = gateway.invoke("f", "?blocking=true&result=true", "{}");
        await().until(() -> gateway.held() == 1);
        gateway.answerAll("{\"error\":\"mine\"}");
        assertThat(failed.get().statusCode()).isEqualTo(502);
        assertThat(failed.get().body()).isEqualTo("{\"error\":\"mine\"}");
        CompletableFuture<HttpResponse<String>> killed = gateway.invoke("f", "?blocking=true", "{}");
        await().until(() -> gateway.held() == 1);
        String id = json(gateway.send("GET", "/lambdafs/v1/instances", ""))
                .path("instances")
                .path(0)
                .path("id")
                .asText();
        assertThat(gateway.send("POST", "/lambdafs/v1/instances/" + id + "/kill", "")
                        .statusCode())
                .isEqualTo(202);
        assertThat(killed.get().statusCode()).isEqualTo(502);
        assertThat(json(killed.get()).path("response").path("status").asText()).isEqualTo("action developer error");
        assertThat(gateway.send("POST", "/lambdafs/v1/instances/none/kill", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldAnswer503WhenNoInstanceIsHadInTime() throws Exception {
        restart(config ->
                GatewayConfigs.pool(config, config.pool().withMaxInstances(1).withQueue(10, Duration.ofMillis(100))));
        gateway.put("f", 1);
        gateway.invoke("f", "", "{}").get();
        HttpResponse<String> response =
                gateway.invoke("f", "?blocking=true&result=true", "{}").get();
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(json(response).path("error").asText()).isNotEmpty();
    }

    @Test
    void shouldThrottlePerMinute() throws Exception {
        restart(config -> GatewayConfigs.throttle(config, new Throttle.Limits(3, 100)));
        gateway.put("f", 10);
        List<Integer> statuses = new ArrayList<>();
        HttpResponse<String> last = null;
        // A minute may turn in between; two turns may not.
        for (int i = 0; i < 7; i++) {
            last = gateway.invoke("f", "", "{}").get();
            statuses.add(last.statusCode());
        }
        assertThat(statuses).contains(202, 429);
        assertThat(json(last).path("error").asText())
                .isEqualTo("Too many requests in the last minute (count: 4, allowed: 3).");
    }

    @Test
    void shouldThrottleWhatIsInFlight() throws Exception {
        restart(config -> GatewayConfigs.throttle(config, new Throttle.Limits(1000, 2)));
        gateway.put("f", 10);
        gateway.invoke("f", "", "{}").get();
        gateway.invoke("f", "", "{}").get();
        HttpResponse<String> refused =
                gateway.invoke("f", "?blocking=true", "{}").get();
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(json(refused).path("error").asText())
                .isEqualTo("Too many concurrent requests in flight (count: 3, allowed: 2).");
        await().until(() -> gateway.held() == 2);
        gateway.releaseAll();
        await().until(() -> gateway.invoke("f", "", "{}").get().statusCode() == 202);
    }

    @Test
    void shouldTellInstancesUsageAndScaling() throws Exception {
        gateway.put("f", 1);
        CompletableFuture<HttpResponse<String>> one = gateway.invoke("f", "?blocking=true", "{}");
        CompletableFuture<HttpResponse<String>> two = gateway.invoke("f", "?blocking=true", "{}");
        await().until(() -> gateway.held() == 2);
        JsonNode instances = json(gateway.send("GET", "/lambdafs/v1/instances", ""));
        assertThat(instances.path("schema").asInt()).isEqualTo(1);
        assertThat(instances.path("instances")).hasSize(2).allSatisfy(each -> {
            assertThat(each.path("deployment").asText()).isEqualTo("f");
            assertThat(each.path("state").asText()).isEqualTo("ready");
            assertThat(each.path("inFlight").asInt()).isEqualTo(1);
            assertThat(each.path("activations").asInt()).isEqualTo(1);
            assertThat(each.has("coldStartMillis")).isTrue();
        });
        gateway.releaseAll();
        one.get();
        two.get();
        JsonNode usage = json(gateway.send("GET", "/lambdafs/v1/usage", ""));
        assertThat(usage.path("activations").asInt()).isEqualTo(2);
        assertThat(usage.path("instances").asInt()).isEqualTo(2);
        assertThat(usage.path("deployments").path("f").path("peakInstances").asInt())
                .isEqualTo(2);
        assertThat(usage.path("starts").path("cold").asInt()).isEqualTo(2);
        assertThat(usage.path("outcomes").path("success").asInt()).isEqualTo(2);
        assertThat(usage.path("cost").path("requests").asInt()).isEqualTo(2);
        assertThat(usage.path("cost").path("payPerUseUsd").asDouble()).isPositive();
        assertThat(usage.path("memory").path("usedMb").asInt()).isEqualTo(128);
        assertThat(gateway.send("PUT", "/lambdafs/v1/scaling", "{\"maxInstances\":1}")
                        .body())
                .isEqualTo("{\"schema\":1,\"maxInstances\":1}");
        await().until(() -> json(gateway.send("GET", "/lambdafs/v1/instances", ""))
                        .path("instances")
                        .size()
                == 1);
        for (String wrong : List.of("{\"maxInstances\":0}", "{}", "{\"maxInstances\":\"x\"}", "nonsense")) {
            assertThat(gateway.send("PUT", "/lambdafs/v1/scaling", wrong).statusCode())
                    .isEqualTo(400);
        }
        assertThat(json(gateway.send("GET", "/lambdafs/v1/scaling", ""))
                        .path("maxInstances")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void shouldShowHealthAndMetricsWithoutAKey() throws Exception {
        gateway.put("f", 1);
        CompletableFuture<HttpResponse<String>> call = gateway.invoke("f", "?blocking=true", "{}");
        await().until(() -> gateway.held() == 1);
        gateway.releaseAll();
        call.get();
        gateway.invoke("missing", "", "{}").get();
        assertThat(plain("/healthz")).isEqualTo("{\"status\":\"ok\"}");
        assertThat(plain("/metrics").lines().filter(line -> line.matches("# HELP \\S+ *")))
                .as("metrics without help")
                .isEmpty();
        assertThat(plain("/metrics"))
                .contains("lambdafs_gateway_activations_total{outcome=\"success\"} 1.0")
                .contains("lambdafs_gateway_refused_total{status=\"404\"} 1.0")
                .contains("lambdafs_gateway_starts_total{kind=\"cold\"} 1.0")
                .contains("lambdafs_gateway_instances{deployment=\"f\"} 1.0")
                .contains("lambdafs_gateway_queued{deployment=\"f\"} 0.0")
                .contains("lambdafs_gateway_wait_seconds_bucket")
                .contains("lambdafs_gateway_billed_milliseconds_total")
                .contains("lambdafs_gateway_memory_used_bytes 6.7108864E7");
    }

    private String plain(String path) throws Exception {
        HttpResponse<String> response =
                gateway.http.send(gateway.request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    @Test
    void shouldNameThePortThatIsInUse() {
        assertThatThrownBy(() -> new GatewayFixture(config -> GatewayConfigs.listen(config, gateway.gateway.address())))
                .isInstanceOf(AddressUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + gateway.gateway.port());
    }

    @Test
    void shouldListenOnAnIpv6Address() throws Exception {
        InetAddress own = InetAddress.getAllByName("::1")[0];
        assumeTrue(NetworkInterface.getByInetAddress(own) != null, "this machine has no IPv6");
        restart(config -> GatewayConfigs.listen(config, new InetSocketAddress(own, 0)));

        assertThat(String.valueOf(gateway.gateway.url()))
                .startsWith("http://[")
                .endsWith("]:" + gateway.gateway.port());
        assertThat(plain("/healthz")).isEqualTo("{\"status\":\"ok\"}");
        assertThat(gateway.put("f", 1).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldTellItsHealthWhileHundredsOfBodiesAreUnfinished() throws Exception {
        gateway.put("f", 1);
        byte[] unfinished = new byte[999_999];
        List<Socket> open = new ArrayList<>();
        AtomicInteger begun = new AtomicInteger();
        ExecutorService senders = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 400; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.gateway.port());
                open.add(socket);
                String key = i % 2 == 0 ? "" : "Authorization: " + GatewayFixture.KEY.authorization() + "\r\n";
                String head = "POST " + ACTIONS + "/f HTTP/1.1\r\n" + key + "Content-Length: 1000000\r\n\r\n";
                senders.submit(() -> {
                    try {
                        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                        socket.getOutputStream().write(unfinished);
                    } catch (IOException refused) {
                        // It is answered by its head: the body need not be taken.
                    } finally {
                        begun.incrementAndGet();
                    }
                });
            }
            int asked = 0;
            do {
                assertThat(plain("/healthz")).isEqualTo("{\"status\":\"ok\"}");
                asked++;
            } while (begun.get() < 400 || asked < 10);
        } finally {
            senders.shutdownNow();
            for (Socket each : open) {
                each.close();
            }
        }
        await().until(() -> gateway.invoke("f", "", "{}").get().statusCode() == 202);
    }
}
