package io.lambdafs.platform.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.instance.EchoInstance;
import io.lambdafs.platform.local.instance.KindCommand;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process, with instances as processes of their own. */
@Tag("once")
@Tag("slow")
class GatewayMainTest {
    private static final ApiKey KEY = ApiKey.of("user:secret");

    @TempDir
    private Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Process> gateways = new ArrayList<>();
    private final ObjectNode config = Json.object();

    @BeforeEach
    void configure() throws Exception {
        KEY.writeTo(directory.resolve("key"));
        config.put("apiKeyFile", directory.resolve("key").toString())
                .put("directory", directory.resolve("run").toString())
                .put("portFile", directory.resolve("port").toString());
        config.putObject("pool")
                .put("prewarm", 1)
                .put("keepAliveMillis", 60_000)
                .put("stopGraceMillis", 5000);
        ObjectNode kinds = config.putObject("kinds");
        kinds.set("echo", kind(EchoInstance.command(Map.of())));
        // One that does not watch its parent, so that only the next gateway can end it.
        kinds.set("clinging", kind(EchoInstance.command(Map.of(), "cling")));
    }

    private static ObjectNode kind(KindCommand command) {
        ObjectNode kind = Json.mapper().valueToTree(command);
        return kind.put("runtime", "action");
    }

    @AfterEach
    void endAll() throws Exception {
        for (Process each : gateways) {
            each.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
            each.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldServeKillAndScaleInAndLeaveNoProcessAfterSigterm() throws Exception {
        ((ObjectNode) config.path("pool")).put("keepAliveMillis", 1000);
        Process gateway = start();
        put("f", "echo", 1);
        HttpResponse<String> reply = invoke("f", "{\"print\":\"hello\"}").get();
        assertThat(reply.statusCode()).isEqualTo(200);
        JsonNode activation = Json.mapper().readTree(reply.body());
        assertThat(activation.path("response").path("result").path("key").asText())
                .isEqualTo("null");
        assertThat(reply.body()).contains("__OW_API_HOST", "http://127.0.0.1:");
        String logs = "/api/v1/namespaces/_/activations/"
                + activation.path("activationId").asText() + "/logs";
        assertThat(send("GET", logs, "").get().body()).isEqualTo("{\"logs\":[\"hello\"]}");
        await().until(() -> deployed().isEmpty());
        assertThat(usage().path("billedMillis").asLong()).isEqualTo(4321);
        CompletableFuture<HttpResponse<String>> last = invoke("f", "{\"hang\":true}");
        await().until(() -> deployed().size() == 1);
        List<ProcessHandle> children = gateway.toHandle().children().toList();
        gateway.destroy();
        gateway.waitFor();
        assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        await().until(last::isDone);
    }

    @Test
    void shouldAnswer502SoonAfterAnInstanceWasKilled() throws Exception {
        start();
        put("f", "echo", 4);
        invoke("f", "{}").get();
        List<CompletableFuture<HttpResponse<String>>> hanging = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            hanging.add(invoke("f", "{\"hang\":true}"));
        }
        await().until(() -> deployed().get(0).path("inFlight").asInt() == 4);
        ProcessHandle.of(deployed().get(0).path("pid").asLong()).orElseThrow().destroyForcibly();
        for (CompletableFuture<HttpResponse<String>> each : hanging) {
            assertThat(each.get().statusCode()).isEqualTo(502);
        }
        assertThat(invoke("f", "{\"exit\":3}").get().statusCode()).isEqualTo(502);
        assertThat(invoke("f", "{}").get().statusCode()).isEqualTo(200);
    }

    @Test
    void shouldLeaveNoChildWhenItIsKilledAndEndTheClingingOnesAtItsNextStart() throws Exception {
        Process gateway = start();
        put("f", "echo", 1);
        put("c", "clinging", 1);
        invoke("f", "{}").get();
        invoke("c", "{}").get();
        long watching = pidOf("f");
        long clinging = pidOf("c");
        gateway.destroyForcibly().waitFor();
        await().until(() -> !alive(watching));
        assertThat(alive(clinging)).isTrue();
        start();
        assertThat(alive(clinging)).isFalse();
    }

    @Test
    void shouldKnowItsFunctionsBeforeItAnswersWhenItIsStartedAfterAKill() throws Exception {
        Process gateway = start();
        put("f", "echo", 2);
        put("removed", "echo", 1);
        send("DELETE", "/api/v1/namespaces/_/actions/removed", "").get();
        gateway.destroyForcibly().waitFor();

        Process another = start();
        assertThat(invoke("f", "{}").get().statusCode()).isEqualTo(200);
        assertThat(Json.mapper()
                        .readTree(send("GET", "/api/v1/namespaces/_/actions/f", "")
                                .get()
                                .body())
                        .path("limits")
                        .path("concurrency")
                        .asInt())
                .isEqualTo(2);
        assertThat(invoke("removed", "{}").get().statusCode()).isEqualTo(404);
        another.destroy();
        another.waitFor();

        start();
        assertThat(invoke("f", "{}").get().statusCode())
                .as("after an orderly end")
                .isEqualTo(404);
    }

    @Test
    void shouldKeepItsFunctionsToItselfAndGoOnWithoutThoseThatItCannotHave() throws Exception {
        Process gateway = start();
        put("f", "echo", 1);
        put("c", "clinging", 1);
        Path kept = directory.resolve("run").resolve("actions.json");
        assertThat(Files.getPosixFilePermissions(kept)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        gateway.destroyForcibly().waitFor();
        Files.writeString(kept, Files.readString(kept).replace("clinging", "gone"));

        Process second = start();
        assertThat(invoke("f", "{}").get().statusCode()).isEqualTo(200);
        assertThat(invoke("c", "{}").get().statusCode()).isEqualTo(404);
        second.destroyForcibly().waitFor();
        Files.writeString(kept, "{\"f\":");

        start();
        assertThat(invoke("f", "{}").get().statusCode()).isEqualTo(404);
        put("f", "echo", 1);
        assertThat(invoke("f", "{}").get().statusCode()).isEqualTo(200);
    }

    @Test
    void shouldSayWhatIsWrongAndExit() throws Exception {
        config.put("prot", 1);
        assertThat(exit(2)).contains("config.json").contains("prot");
        config.remove("prot");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            config.put("port", taken.getLocalPort());
            assertThat(exit(3)).contains("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    private String exit(int code) throws Exception {
        Process gateway = launch();
        gateway.waitFor();
        assertThat(gateway.exitValue()).isEqualTo(code);
        return Files.readString(directory.resolve("gateway.out"));
    }

    private Process start() throws Exception {
        Files.deleteIfExists(directory.resolve("port"));
        Process gateway = launch();
        await().until(() -> Files.exists(directory.resolve("port")));
        return gateway;
    }

    private Process launch() throws Exception {
        Path file = directory.resolve("config.json");
        Files.write(file, Json.bytes(config));
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GatewayMain.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("gateway.out").toFile())
                .start();
        gateways.add(process);
        return process;
    }

    private void put(String name, String kind, int concurrency) throws Exception {
        String body =
                "{\"exec\":{\"kind\":\"" + kind + "\"},\"limits\":{\"memory\":64,\"concurrency\":" + concurrency + "}}";
        assertThat(send("PUT", "/api/v1/namespaces/_/actions/" + name, body)
                        .get()
                        .statusCode())
                .isEqualTo(200);
    }

    private CompletableFuture<HttpResponse<String>> invoke(String name, String payload) throws Exception {
        return send("POST", "/api/v1/namespaces/_/actions/" + name + "?blocking=true", payload);
    }

    /** The instances that belong to an action. */
    private List<JsonNode> deployed() throws Exception {
        List<JsonNode> instances = new ArrayList<>();
        Json.mapper()
                .readTree(send("GET", "/lambdafs/v1/instances", "").get().body())
                .path("instances")
                .forEach(each -> {
                    if (!each.path("deployment").asText().isEmpty()) {
                        instances.add(each);
                    }
                });
        return instances;
    }

    private JsonNode usage() throws Exception {
        return Json.mapper()
                .readTree(send("GET", "/lambdafs/v1/usage", "").get().body());
    }

    private long pidOf(String deployment) throws Exception {
        return deployed().stream()
                .filter(each -> each.path("deployment").asText().equals(deployment))
                .findFirst()
                .orElseThrow()
                .path("pid")
                .asLong();
    }

    private static boolean alive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private CompletableFuture<HttpResponse<String>> send(String method, String path, String body) throws Exception {
        String port = Files.readString(directory.resolve("port")).strip();
        return http.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(PatientWaits.PATIENCE)
                        .header("Authorization", KEY.authorization())
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
