package io.lambdafs.platform.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.Gateway;
import io.lambdafs.platform.local.GatewayConfig;
import io.lambdafs.platform.local.instance.ActionFunction;
import io.lambdafs.platform.local.instance.InJvmLauncher;
import io.lambdafs.rpc.SystemScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * OpenWhisk's REST dialect, request by request, as an OpenWhisk 1.0.0 and its command line {@code wsk} were seen to speak it: against λFS's
 * gateway, and against the OpenWhisk that {@code OPENWHISK_APIHOST} names, with the key in the file that {@code OPENWHISK_AUTH_FILE} names.
 */
class OpenWhiskProtocolTest {
    private static final String KIND = "nodejs:default";
    private static final ApiKey KEY = ApiKey.of("user:secret");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The action of the requests, in Java. */
    private record EchoFunction(SystemScheduler scheduler) implements ActionFunction {
        @Override
        public CompletionStage<byte[]> init(byte[] json) {
            return CompletableFuture.completedFuture(Json.bytes(Json.object()));
        }

        @Override
        public CompletionStage<byte[]> run(byte[] json) {
            JsonNode value = Json.parseObject(json).path("value");
            CompletableFuture<byte[]> reply = new CompletableFuture<>();
            byte[] answer = Json.bytes(
                    value.path("fail").asBoolean()
                            ? Json.object().put("error", "mine")
                            : Json.object().set("echo", value.path("x")));
            scheduler.schedule(
                    TimeUnit.MILLISECONDS.toNanos(value.path("wait").asLong()), () -> reply.complete(answer));
            return reply;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldBeSpokenByTheGateway() throws Exception {
        try (SystemScheduler scheduler = new SystemScheduler("test", 4, 10_000);
                InJvmLauncher launcher = new InJvmLauncher(Map.of(KIND, () -> new EchoFunction(scheduler)), scheduler);
                Gateway gateway = Gateway.start(
                        GatewayConfig.of(KEY, Path.of("unused"), Map.of()), Optional.empty(), launcher, scheduler)) {
            speak(gateway.url(), KEY);
        }
    }

    @Test
    void shouldBeSpokenByOpenWhisk() throws Exception {
        String host = System.getenv("OPENWHISK_APIHOST");
        String key = System.getenv("OPENWHISK_AUTH_FILE");
        assumeTrue(host != null && key != null, "OPENWHISK_APIHOST and OPENWHISK_AUTH_FILE name no OpenWhisk");
        speak(URI.create(host), ApiKey.fromFile(Path.of(key)));
    }

    private void speak(URI host, ApiKey key) throws Exception {
        Map<String, String> saved = new HashMap<>();
        for (String line : requests()) {
            JsonNode step = Json.mapper().readTree(line);
            String what = step.path("what").asText();
            if (step.path("eventually").asBoolean()) {
                Awaitility.await(what).until(() -> isAnswered(step, send(host, key, step, saved)));
            }
            HttpResponse<String> answer = send(host, key, step, saved);
            assertThat(isAnswered(step, answer))
                    .as("%s: status %d, %s", what, answer.statusCode(), answer.body())
                    .isTrue();
            JsonNode body =
                    answer.body().isEmpty() ? Json.object() : Json.mapper().readTree(answer.body());
            step.path("expect")
                    .properties()
                    .forEach(each -> assertThat(isAsExpected(each.getValue(), body.at(each.getKey())))
                            .as("%s: %s of %s", what, each.getKey(), answer.body())
                            .isTrue());
            step.path("save")
                    .properties()
                    .forEach(each -> saved.put(
                            each.getKey(), body.at(each.getValue().asText()).asText()));
        }
        assertThat(saved).hasSize(2);
    }

    private static List<String> requests() throws IOException {
        try (InputStream in = OpenWhiskProtocolTest.class.getResourceAsStream("/openwhisk/requests.jsonl")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private HttpResponse<String> send(URI host, ApiKey key, JsonNode step, Map<String, String> saved)
            throws IOException, InterruptedException {
        String path = step.path("path").asText();
        for (Map.Entry<String, String> each : saved.entrySet()) {
            path = path.replace("{" + each.getKey() + "}", each.getValue());
        }
        String namespaces = "/api/v1/namespaces";
        String at = path.startsWith("/") ? path : path.equals("..") ? namespaces : namespaces + "/_/" + path;
        String body = step.path("megabyte").asBoolean()
                ? "{\"x\":\"" + "y".repeat(1_100_000) + "\"}"
                : step.has("text")
                        ? step.path("text").asText()
                        : step.has("body") ? step.path("body").toString() : "";
        ApiKey shown = step.has("key") ? ApiKey.of("user:wrong") : key;
        return http.send(
                HttpRequest.newBuilder(host.resolve(at))
                        .timeout(PatientWaits.PATIENCE)
                        .header("Authorization", shown.authorization())
                        .header("Content-Type", "application/json")
                        .method(step.path("method").asText(), HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static boolean isAnswered(JsonNode step, HttpResponse<String> answer) {
        JsonNode wanted = step.path("status");
        if (!wanted.isArray()) {
            return wanted.asInt() == answer.statusCode();
        }
        boolean found = false;
        for (JsonNode each : wanted) {
            found |= each.asInt() == answer.statusCode();
        }
        return found;
    }

    /** A text that opens with a tilde is a pattern, {@code array} stands for any array. */
    private static boolean isAsExpected(JsonNode expected, JsonNode actual) {
        String text = expected.asText();
        if (expected.isTextual() && text.startsWith("~")) {
            return actual.asText().matches("(?s)" + text.substring(1));
        }
        return text.equals("array") ? actual.isArray() : expected.equals(actual);
    }
}
