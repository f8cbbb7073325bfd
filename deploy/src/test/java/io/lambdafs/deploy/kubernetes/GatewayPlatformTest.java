package io.lambdafs.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --platform kubernetes}: the gateway without the chart. */
class GatewayPlatformTest {
    private static final String GATEWAY = "/namespaces/fs/deployments/music-gateway";

    @TempDir
    private Path directory;

    private final FakeApiServer server = new FakeApiServer();

    @AfterEach
    void close() {
        server.close();
    }

    private Platform open(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(Map.of("wait", "0"));
        options.putAll(more);
        return new GatewayProvider()
                .open(new Target(
                        null,
                        directory.resolve("apikey"),
                        "",
                        server.kubeconfig(directory, FakeApiServer.TOKEN),
                        "",
                        options));
    }

    private List<Change.Kind> apply(FunctionsSpec wanted) {
        try (Platform platform = open(Map.of())) {
            return platform.apply(wanted, false).stream().map(Change::kind).toList();
        }
    }

    @Test
    void shouldChangeNothingTheSecondTimeAndLeaveNothing() {
        PlanFixture plans = new PlanFixture(directory);
        assertThat(apply(plans.wanted(2))).hasSize(7).containsOnly(Change.Kind.CREATED);
        int writes = server.writes();
        // The keys are those of the first time.
        assertThat(apply(plans.wanted(2))).hasSize(7).containsOnly(Change.Kind.UNCHANGED);
        assertThat(server.writes()).isEqualTo(writes);
        try (Platform platform = open(Map.of())) {
            assertThat(platform.check(plans.wanted(2))).noneMatch(Problem::isFault);
            assertThat(platform.remove("music", false)).hasSize(7);
        }
        assertThat(server.paths()).isEmpty();
    }

    @Test
    void shouldTellGatewayAndPodsWhatTheyRead() throws Exception {
        FunctionsSpec wanted = new PlanFixture(directory).wanted(2);
        apply(wanted);

        ObjectNode files = (ObjectNode)
                server.get("/api/v1/namespaces/fs/configmaps/music-gateway").path("data");
        ObjectNode kubernetes =
                Json.parseObject(files.path("kubernetes.json").asText().getBytes(StandardCharsets.UTF_8));
        assertThat(kubernetes.path("actionPrefix").asText()).isEqualTo("music-nn");
        assertThat(kubernetes.path("deployments").asInt()).isEqualTo(2);
        assertThat(kubernetes.path("memoryMb").asInt()).isEqualTo(256);
        assertThat(files.path("function.json").asText()).contains("\"secretFile\":\"/etc/lambdafs-secret/secret\"");
        Pod pod = Serialization.unmarshal(files.path("pod.yaml").asText(), Pod.class);
        assertThat(pod.getSpec().getContainers().get(0).getImage()).isEqualTo(wanted.image());
        assertThat(pod.getSpec().getSecurityContext().getFsGroup()).isEqualTo(10_001);
        ObjectNode secret = (ObjectNode)
                server.get("/api/v1/namespaces/fs/secrets/music-gateway").path("data");
        assertThat(secret.properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("actionkey", "apikey", "managementkey", "secret");
        assertThat(new String(Base64.getDecoder().decode(secret.path("apikey").asText()), StandardCharsets.UTF_8))
                .isEqualTo(Files.readString(directory.resolve("apikey")).strip());
        try (Platform platform = open(Map.of())) {
            Access access = platform.access(wanted);
            assertThat(access.api()).isEqualTo("openwhisk");
            assertThat(access.gateway()).hasToString("http://music-gateway.fs.svc:8080");
            assertThat(access.apiKeyFile()).isEqualTo(directory.resolve("apikey"));
        }
    }

    @Test
    void shouldHaveGatewaysWaitForTheOneThatLeads() {
        FunctionsSpec wanted = new PlanFixture(directory).wanted(1);
        try (Platform platform = open(Map.of("replicas", "2"))) {
            platform.apply(wanted, false);
        }

        assertThat(server.get("/apis/apps/v1" + GATEWAY)
                        .path("spec")
                        .path("replicas")
                        .asInt())
                .isEqualTo(2);
        assertThat(server.get("/api/v1/namespaces/fs/configmaps/music-gateway")
                        .path("data")
                        .path("kubernetes.json")
                        .asText())
                .contains("\"lease\":\"music-gateway\"");
        assertThat(server.get("/api/v1/namespaces/fs/services/music-gateway")
                        .path("spec")
                        .path("selector")
                        .path("lambdafs.io/leader")
                        .asText())
                .isEqualTo("true");
        assertThat(server.get("/apis/rbac.authorization.k8s.io/v1/namespaces/fs/roles/music-gateway")
                        .path("rules")
                        .toString())
                .contains("leases", "patch");
    }

    @Test
    void shouldLeaveNothingWhereTheServerRefuses() {
        FunctionsSpec wanted = new PlanFixture(directory).wanted(1);
        server.refuse("/deployments/music-gateway");

        assertThatThrownBy(() -> apply(wanted))
                .isInstanceOfSatisfying(
                        DeployFailure.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.QUOTA));
        assertThat(server.paths()).isEmpty();
    }

    @Test
    void shouldWaitUntilTheGatewayIsAvailable() {
        FunctionsSpec wanted = new PlanFixture(directory).wanted(1);
        server.controller(object -> {
            if (object.path("kind").asText().equals("Deployment")) {
                object.putObject("status")
                        .put(
                                "observedGeneration",
                                object.path("metadata").path("generation").asInt())
                        .put("availableReplicas", 1)
                        .put("updatedReplicas", 1);
            }
            return object;
        });
        try (Platform platform = open(Map.of("wait", "20"))) {
            assertThat(platform.apply(wanted, false)).hasSize(7);
        }
        assertThat(server.paths()).anyMatch(path -> path.endsWith(GATEWAY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ImagePullBackOff | Back-off pulling image | IMAGE",
                "ErrImagePull | no match for platform in manifest: not found | ARCHITECTURE",
                "CrashLoopBackOff | back-off restarting failed container | PLATFORM_FAILED",
                "RunContainerError | exec /opt/java/bin/java: exec format error | ARCHITECTURE"
            })
    void shouldLeaveNothingWhereTheGatewayNeverStarts(String reason, String message, Problem.Code code) {
        FunctionsSpec wanted = new PlanFixture(directory).wanted(1);
        server.put("/api/v1/namespaces/fs/pods/music-gateway-1", """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"music-gateway-1"},"status":{"containerStatuses":[{"name":"gateway",
                 "state":{"waiting":{"reason":"%s","message":"%s"}}}]}}""".formatted(reason, message));
        try (Platform platform = open(Map.of("wait", "20"))) {
            assertThatThrownBy(() -> platform.apply(wanted, false))
                    .isInstanceOfSatisfying(
                            DeployFailure.class, e -> assertThat(e.code()).isEqualTo(code))
                    .hasMessageContaining(message);
        }
        assertThat(server.paths()).containsExactly("/api/v1/namespaces/fs/pods/music-gateway-1");
    }

    @Test
    void shouldSayWhatStandsInTheWay() {
        FunctionsSpec wanted = new PlanFixture(directory).wanted(1);
        server.put(
                "/apis/apps/v1/namespaces/fs/deployments/music-gateway", "{\"metadata\":{\"name\":\"music-gateway\"}}");
        server.forbid("create roles");
        try (Platform platform = open(Map.of("pool", "many"))) {
            assertThat(platform.check(wanted))
                    .filteredOn(Problem::isFault)
                    .extracting(Problem::code)
                    .containsExactly(Problem.Code.FORBIDDEN, Problem.Code.CONFIGURATION);
        }
    }
}
