package io.lambdafs.deploy.nuclio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --platform nuclio} against a server that answers as the reference of Nuclio's dashboard says. */
class NuclioPlatformTest {
    @TempDir
    private Path directory;

    private final Map<String, ObjectNode> functions = new TreeMap<>();
    private PlanFixture plans;
    private HttpServer server;
    private String state = "ready";
    private String message = "";
    private int refusal;

    private final class Dashboard implements HttpHandler {
        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            return CompletableFuture.completedFuture(answer(call));
        }

        private synchronized HttpReply answer(HttpCall call) {
            if (refusal != 0) {
                return HttpReply.json(refusal, "{\"error\":\"no\"}");
            }
            if (!call.header("x-nuclio-function-namespace").orElse("").equals("nuclio")) {
                return HttpReply.json(400, "{\"error\":\"Namespace must exist\"}");
            }
            if (call.path().startsWith("/api/projects/")) {
                return HttpReply.json(call.path().endsWith("/default") ? 200 : 404, "{}");
            }
            ObjectNode body = Json.parseObject(call.body());
            String name = body.path("metadata").path("name").asText();
            return switch (call.method() + " " + call.path().replaceFirst("/api/functions/.+", "/api/functions/NAME")) {
                case "GET /api/functions" ->
                    HttpReply.json(200, Json.mapper().valueToTree(functions).toString());
                case "GET /api/functions/NAME" -> {
                    ObjectNode found = functions.get(call.path().substring("/api/functions/".length()));
                    yield found == null ? HttpReply.json(404, "{}") : HttpReply.json(200, found.toString());
                }
                case "POST /api/functions" ->
                    functions.containsKey(name) ? HttpReply.json(409, "{}") : stored(name, body);
                case "PUT /api/functions/NAME" -> stored(name, body);
                case "DELETE /api/functions" ->
                    functions.remove(name) == null ? HttpReply.json(404, "{}") : HttpReply.empty(204);
                default -> HttpReply.json(405, "{}");
            };
        }

        private HttpReply stored(String name, ObjectNode function) {
            function.putObject("status").put("state", state).put("message", message);
            functions.put(name, function);
            return HttpReply.json(202, "{}");
        }
    }

    @BeforeEach
    void start() throws IOException {
        plans = new PlanFixture(directory);
        server = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Dashboard(), HttpLimits.defaults());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Platform open(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(Map.of("wait", "20"));
        options.putAll(more);
        return new NuclioProvider()
                .open(new Target(URI.create("http://127.0.0.1:" + server.port()), null, "", null, "", options));
    }

    private List<String> apply(FunctionsSpec wanted) {
        try (Platform platform = open(Map.of())) {
            return platform.apply(wanted, false).stream()
                    .map(each -> each.kind() + " " + each.name())
                    .toList();
        }
    }

    private List<Problem.Code> faults(Map<String, String> options, FunctionsSpec wanted) {
        try (Platform platform = open(options)) {
            return platform.check(wanted).stream()
                    .filter(Problem::isFault)
                    .map(Problem::code)
                    .toList();
        }
    }

    @Test
    void shouldChangeNothingTheSecondTimeAndLeaveNothing() {
        functions.put("other", Json.object());

        assertThat(apply(plans.wanted(2))).containsExactly("CREATED music-nn0", "CREATED music-nn1");
        assertThat(apply(plans.wanted(2))).containsExactly("UNCHANGED music-nn0", "UNCHANGED music-nn1");
        assertThat(apply(plans.wanted(1))).containsExactly("UPDATED music-nn0", "REMOVED music-nn1");
        try (Platform platform = open(Map.of())) {
            assertThat(platform.remove("music", false)).extracting(Change::name).containsExactly("music-nn0");
            assertThat(platform.remove("music", false)).isEmpty();
        }
        assertThat(functions).containsOnlyKeys("other");
    }

    @Test
    void shouldPutTheInstanceBesideAHandlerThatHandsCallsOn() {
        apply(plans.wanted(1));
        JsonNode spec = functions.get("music-nn0").path("spec");

        assertThat(spec.path("triggers").path("http").path("numWorkers").asInt())
                .isEqualTo(4);
        assertThat(new String(
                        Base64.getDecoder()
                                .decode(spec.path("build")
                                        .path("functionSourceCode")
                                        .asText()),
                        StandardCharsets.UTF_8))
                .contains("def handler(context, event):");
        JsonNode instance = spec.path("sidecars").path(0);
        assertThat(instance.path("image").asText()).isEqualTo("lambdafs:1");
        assertThat(instance.path("env").toString())
                .contains(
                        "{\"name\":\"LAMBDAFS_DEPLOYMENT\",\"value\":\"0\"}",
                        "\"secretKeyRef\":{\"name\":\"music-functions\",\"key\":\"secret\"}");
    }

    @Test
    void shouldGiveTheInstanceNoRightsButATemporaryDirectory() {
        apply(plans.wanted(1));
        JsonNode spec = functions.get("music-nn0").path("spec");
        JsonNode instance = spec.path("sidecars").path(0);

        assertThat(instance.path("securityContext")).isEqualTo(Json.parseObject("""
                        {"allowPrivilegeEscalation":false,"readOnlyRootFilesystem":true,"runAsNonRoot":true,
                         "capabilities":{"drop":["ALL"]},"seccompProfile":{"type":"RuntimeDefault"}}""".getBytes(StandardCharsets.UTF_8)));
        assertThat(instance.path("resources").toString())
                .contains("\"cpu\":\"250m\"", "\"limits\":{\"memory\":\"256Mi\"}");
        String volume = instance.path("volumeMounts").path(0).path("name").asText();
        assertThat(instance.path("volumeMounts").path(0).path("mountPath").asText())
                .isEqualTo("/tmp");
        assertThat(spec.path("volumes")).singleElement().satisfies(each -> {
            assertThat(each.path("volume").path("name").asText()).isEqualTo(volume);
            assertThat(each.path("volume").has("emptyDir")).isTrue();
            // No path may have two mounts, even if Nuclio mounts it in sidecars too.
            assertThat(each.path("volumeMount").path("mountPath").asText()).isNotEqualTo("/tmp");
        });
        assertThat(instance.path("env").toString()).contains("{\"name\":\"LAMBDAFS_ACTION_PORT\",\"value\":\"8180\"}");
    }

    @Test
    void shouldLeaveNothingWhereAFunctionNeverStarts() {
        state = "unhealthy";
        message = "Back-off pulling image \"lambdafs:1\"";

        assertThatThrownBy(() -> apply(plans.wanted(2)))
                .isInstanceOfSatisfying(
                        DeployFailure.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.IMAGE));
        assertThat(functions).isEmpty();
    }

    @Test
    void shouldSayWhatStandsInTheWay() {
        assertThat(faults(Map.of(), plans.wanted(1))).isEmpty();
        assertThat(faults(Map.of("project", "none"), plans.wanted(1))).containsExactly(Problem.Code.CONFIGURATION);
        assertThat(faults(Map.of(), plans.wanted(1, "", 1))).containsExactly(Problem.Code.IMAGE);
        functions.put("music-nn3", Json.object());
        assertThat(faults(Map.of(), plans.wanted(1))).containsExactly(Problem.Code.NAME_TAKEN);
        refusal = 403;
        assertThat(faults(Map.of(), plans.wanted(1))).containsExactly(Problem.Code.FORBIDDEN);
        refusal = 401;
        assertThat(faults(Map.of(), plans.wanted(1))).containsExactly(Problem.Code.CREDENTIALS);
        server.close();
        assertThat(faults(Map.of(), plans.wanted(1))).containsExactly(Problem.Code.UNREACHABLE);
    }

    @Test
    void shouldPrintFunctionsWithoutADashboard() {
        server.close();
        try (Platform platform = open(Map.of("offline", "true"))) {
            assertThat(platform.check(plans.wanted(1))).noneMatch(Problem::isFault);
            assertThat(platform.apply(plans.wanted(1), true))
                    .singleElement()
                    .satisfies(each -> assertThat(each.manifest()).contains("\"kind\" : \"NuclioFunction\""));
        }
    }
}
