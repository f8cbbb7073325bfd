package io.lambdafs.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnativePlatformTest {
    private static final String SERVICES = "/apis/serving.knative.dev/v1/namespaces/fs/services";

    private static final Target NOWHERE = new Target(null, null, "", null, "", Map.of());

    @TempDir
    private Path directory;

    private final FakeApiServer server = new FakeApiServer();
    private PlanFixture plans;

    @BeforeEach
    void start() {
        plans = new PlanFixture(directory);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Platform open(Map<String, String> options) {
        return open(FakeApiServer.TOKEN, options);
    }

    private Platform open(String token, Map<String, String> options) {
        return new KnativeProvider().open(new Target(null, null, "", server.kubeconfig(directory, token), "", options));
    }

    private List<Change> apply(FunctionsSpec wanted) {
        try (Platform platform = open(Map.of("wait", "0"))) {
            return platform.apply(wanted, false);
        }
    }

    private List<Problem.Code> faults(Platform opened, FunctionsSpec wanted) {
        try (Platform platform = opened) {
            return platform.check(wanted).stream()
                    .filter(Problem::isFault)
                    .map(Problem::code)
                    .toList();
        }
    }

    @Test
    void shouldChangeNothingTheSecondTimeAndLeaveNothing() {
        server.put(SERVICES + "/other", "{\"metadata\":{\"name\":\"other\"}}");
        List<Change> made = apply(plans.wanted(2));
        int writes = server.writes();

        assertThat(made).extracting(Change::kind).containsOnly(Change.Kind.CREATED);
        assertThat(made)
                .extracting(each -> each.what() + " " + each.name())
                .containsExactly(
                        "Secret music-functions",
                        "ConfigMap music-functions",
                        "Service music-nn0",
                        "Service music-nn1");
        assertThat(apply(plans.wanted(2))).extracting(Change::kind).containsOnly(Change.Kind.UNCHANGED);
        assertThat(server.writes()).isEqualTo(writes);
        assertThat(apply(plans.wanted(1)))
                .extracting(each -> each.kind() + " " + each.name())
                .contains("REMOVED music-nn1", "UPDATED music-nn0", "UNCHANGED music-functions");
        try (Platform platform = open(Map.of())) {
            assertThat(platform.remove("music", true)).hasSize(3);
            assertThat(platform.remove("music", false)).hasSize(3);
            assertThat(platform.remove("music", false)).isEmpty();
        }
        assertThat(server.paths()).containsExactly(SERVICES + "/other");
    }

    @Test
    void shouldTellInstancesAllOfItAndTheAutoscalerItsShare() throws Exception {
        apply(plans.wanted(2));
        JsonNode template = server.get(SERVICES + "/music-nn1").path("spec").path("template");

        assertThat(template.path("spec").path("containerConcurrency").asInt()).isEqualTo(4);
        assertThat(template.path("spec").path("timeoutSeconds").asInt()).isEqualTo(30);
        // 4 calls at once, of which 2 % come by HTTP.
        assertThat(template.path("metadata")
                        .path("annotations")
                        .path("autoscaling.knative.dev/target")
                        .asText())
                .isEqualTo("0.08");
        JsonNode container = template.path("spec").path("containers").path(0);
        assertThat(container.path("env"))
                .extracting(each ->
                        each.path("name").asText() + "=" + each.path("value").asText())
                .contains("LAMBDAFS_DEPLOYMENT=1", "MORE=1");
        assertThat(container.path("resources").path("limits").path("memory").asText())
                .isEqualTo("256Mi");
        String secret = server.get("/api/v1/namespaces/fs/secrets/music-functions")
                .path("data")
                .path("secret")
                .asText();
        assertThat(new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8))
                .isEqualTo(Files.readString(directory.resolve("secret")).strip());
    }

    @Test
    void shouldMakeARevisionWhereOnlyTheConfigurationChanges() throws Exception {
        apply(plans.wanted(1));
        Files.writeString(
                plans.configuration(), Files.readString(plans.configuration()).replace("\"admin\"", "\"root\""));

        assertThat(apply(plans.wanted(1)))
                .extracting(each -> each.kind() + " " + each.what())
                .containsExactly("UNCHANGED Secret", "UPDATED ConfigMap", "UPDATED Service");
    }

    @ParameterizedTest
    @CsvSource({"4, 0.005, 0.02", "1, 0.001, 0.01", "80, 1, 80.00", "100, 0.01, 1.00"})
    void shouldTakeTheHttpShareOfWhatAnInstanceServesForItsTarget(int concurrency, double share, String target) {
        FunctionsSpec base = plans.wanted(1, "i", concurrency);
        FunctionsSpec wanted = new FunctionsSpec(
                base.cluster(),
                1,
                "i",
                base.memoryMb(),
                concurrency,
                base.timeout(),
                0,
                share,
                base.configuration(),
                base.secretFile(),
                Map.of());

        assertThat(KnativePlatform.target(wanted)).isEqualTo(target);
    }

    @Test
    void shouldPassKnativesDefinitionWhichRefusesWhatIsWrong() {
        CrdSchema schema = CrdSchema.knativeService();
        ObjectNode service = Json.parseObject(Serialization.asJson(
                        KnativePlatform.manifests(plans.wanted(1), NOWHERE).get(2))
                .getBytes(StandardCharsets.UTF_8));
        assertThat(schema.violations(service)).isEmpty();

        ObjectNode spec = (ObjectNode) service.path("spec").path("template").path("spec");
        spec.put("containerConcurency", 4);
        assertThat(schema.violations(service)).containsExactly(".spec.template.spec.containerConcurency is unknown");
        spec.remove("containerConcurency");
        spec.put("containerConcurrency", "4");
        assertThat(schema.violations(service))
                .containsExactly(".spec.template.spec.containerConcurrency is no whole number");
        spec.remove("containers");
        assertThat(schema.violations(service)).contains(".spec.template.spec.containers is missing");
    }

    @Test
    void shouldPrintManifestsWithoutAnApiServerAndWithoutSecrets() throws Exception {
        Target nowhere =
                new Target(null, null, "", server.kubeconfig(directory, "none"), "", Map.of("offline", "true"));
        try (Platform platform = new KnativeProvider().open(nowhere)) {
            assertThat(platform.check(plans.wanted(2))).isEmpty();
            String all = String.join(
                    "---\n",
                    platform.apply(plans.wanted(2), true).stream()
                            .map(Change::manifest)
                            .toList());

            assertThat(all)
                    .contains("containerConcurrency: 4")
                    .containsPattern("name: \"?music-nn1\"?")
                    .containsPattern("kind: \"?Secret\"?")
                    .doesNotContain(Base64.getEncoder()
                            .encodeToString(Files.readString(directory.resolve("secret"))
                                    .strip()
                                    .getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void shouldPutBackWhatItChangedWhereTheServerRefuses() {
        apply(plans.wanted(1));
        List<String> paths = server.paths();
        String before = server.get(SERVICES + "/music-nn0").path("spec").toString();
        server.refuse("/music-nn1");

        assertThatThrownBy(() -> apply(PlanFixture.with(plans.wanted(2), image -> image + "2")))
                .isInstanceOfSatisfying(
                        DeployFailure.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.QUOTA))
                .hasMessageContaining("exceeded quota");
        assertThat(server.paths()).isEqualTo(paths);
        assertThat(server.get(SERVICES + "/music-nn0").path("spec").toString()).isEqualTo(before);
    }

    @Test
    void shouldSayWhatStandsInTheWay() {
        FunctionsSpec wanted = plans.wanted(1);
        assertThat(faults(open(Map.of()), wanted)).isEmpty();
        assertThat(faults(open("wrong", Map.of()), wanted)).containsExactly(Problem.Code.CREDENTIALS);
        assertThat(faults(open(Map.of()), plans.wanted(1, "", 4))).containsExactly(Problem.Code.IMAGE);
        server.put(
                "/api/v1/namespaces/fs/resourcequotas/small",
                "{\"metadata\":{\"name\":\"small\"},\"spec\":{\"hard\":{\"limits.memory\":\"1Gi\"}},"
                        + "\"status\":{\"used\":{\"limits.memory\":\"900Mi\"}}}");
        assertThat(faults(open(Map.of()), wanted)).containsExactly(Problem.Code.QUOTA);
        server.put(
                "/api/v1/namespaces/knative-serving/configmaps/config-defaults",
                "{\"data\":{\"container-concurrency-max-limit\":\"3\",\"max-revision-timeout-seconds\":\"10\"}}");
        assertThat(faults(open(Map.of()), wanted))
                .containsExactly(Problem.Code.QUOTA, Problem.Code.TIME_LIMIT, Problem.Code.CONCURRENCY);
        server.put(SERVICES + "/music-nn0", "{\"metadata\":{\"name\":\"music-nn0\"}}");
        assertThat(faults(open(Map.of()), wanted)).contains(Problem.Code.NAME_TAKEN);
        server.forbid("patch services");
        assertThat(faults(open(Map.of()), wanted)).contains(Problem.Code.FORBIDDEN);
        Target elsewhere =
                new Target(null, null, "other", server.kubeconfig(directory, FakeApiServer.TOKEN), "", Map.of());
        assertThat(faults(new KnativeProvider().open(elsewhere), wanted)).contains(Problem.Code.CONFIGURATION);
        server.withoutKnative();
        assertThat(faults(open(Map.of()), wanted)).containsExactly(Problem.Code.MISSING_PART);
        server.close();
        assertThat(faults(open(Map.of()), wanted)).containsExactly(Problem.Code.UNREACHABLE);
    }

    @Test
    void shouldBoundInstancesHideAddressesAndTellThePodsOneWhereWished() {
        try (Platform platform = open(Map.of("wait", "0"))) {
            platform.apply(plans.wanted(1), false);
        }
        JsonNode plain = server.get(SERVICES + "/music-nn0");
        assertThat(plain.at("/spec/template/metadata/annotations").toString()).contains("max-scale\":\"16\"");
        assertThat(plain.at("/metadata/labels").toString()).doesNotContain("visibility");
        assertThat(plain.toString()).doesNotContain("LAMBDAFS_ADVERTISED_HOST");

        Map<String, String> options =
                Map.of("wait", "0", "max-scale", "3", "visibility", "cluster-local", "advertise", "pod");
        try (Platform platform = open(options)) {
            platform.apply(plans.wanted(1), false);
            assertThat(platform.access(plans.wanted(1)).functionUrl())
                    .isEqualTo("http://{function}.fs.svc.cluster.local/");
        }
        JsonNode wished = server.get(SERVICES + "/music-nn0");
        assertThat(wished.at("/spec/template/metadata/annotations").toString()).contains("max-scale\":\"3\"");
        assertThat(wished.at("/metadata/labels").toString())
                .contains("\"networking.knative.dev/visibility\":\"cluster-local\"");
        assertThat(wished.at("/spec/template/metadata/labels").toString()).doesNotContain("visibility");
        assertThat(wished.at("/spec/template/spec/containers/0/env").toString())
                .contains(
                        "{\"name\":\"LAMBDAFS_ADVERTISED_HOST\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"status.podIP\"}}}");
    }

    @Test
    void shouldLookAtWhatKnativesOperatorAllows() {
        FunctionsSpec wanted = plans.wanted(1);
        Map<String, String> advertises = Map.of("advertise", "pod");
        assertThat(faults(open(advertises), wanted)).containsExactly(Problem.Code.MISSING_PART);
        server.put(
                "/api/v1/namespaces/knative-serving/configmaps/config-features",
                "{\"data\":{\"kubernetes.podspec-fieldref\":\"enabled\"}}");
        assertThat(faults(open(advertises), wanted)).isEmpty();
        server.put(
                "/api/v1/namespaces/knative-serving/configmaps/config-autoscaler",
                "{\"data\":{\"max-scale-limit\":\"20\"}}");
        assertThat(faults(open(Map.of()), wanted)).isEmpty();
        assertThat(faults(open(Map.of("max-scale", "21")), wanted)).containsExactly(Problem.Code.QUOTA);
        assertThat(faults(open(Map.of("max-scale", "0")), wanted)).containsExactly(Problem.Code.QUOTA);
    }

    @ParameterizedTest
    @CsvSource({"max-scale, many", "visibility, public", "advertise, node", "wait, long"})
    void shouldRefuseOptionsThatMakeNoSense(String key, String value) {
        assertThatThrownBy(() -> open(Map.of(key, value)))
                .isInstanceOfSatisfying(
                        DeployFailure.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.CONFIGURATION))
                .hasMessageContaining(key)
                .hasMessageContaining(value);
    }

    /** Returns the status that Knative's controller would set. */
    private static ObjectNode status(ObjectNode service, String ready, String message) {
        if (service.path("apiVersion").asText().startsWith("serving.")) {
            ObjectNode status = service.putObject("status")
                    .put(
                            "url",
                            "http://" + service.path("metadata").path("name").asText() + ".fs.example.com")
                    .put(
                            "observedGeneration",
                            service.path("metadata").path("generation").asInt());
            status.putArray("conditions")
                    .addObject()
                    .put("type", "Ready")
                    .put("status", ready)
                    .put("message", message);
        }
        return service;
    }

    @Test
    void shouldWaitUntilKnativeSaysReadyAndTellClientsItsAddresses() {
        server.controller(service -> status(service, "True", ""));
        try (Platform platform = open(Map.of("wait", "20"))) {
            platform.apply(plans.wanted(2), false);
            Access access = platform.access(plans.wanted(2));

            assertThat(access.api()).isEqualTo("http");
            assertThat(access.functionUrl()).isEqualTo("http://{function}.fs.example.com/");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Unable to fetch image \"i\": failed to resolve | IMAGE",
                "Container failed with: exec /opt/java/bin/java: exec format error | ARCHITECTURE",
                "pods is forbidden: exceeded quota: small | QUOTA"
            })
    void shouldLeaveNothingWhereAFunctionNeverStarts(String message, Problem.Code code) {
        server.controller(service -> status(service, "False", message));
        try (Platform platform = open(Map.of("wait", "20"))) {
            assertThatThrownBy(() -> platform.apply(plans.wanted(2), false))
                    .isInstanceOfSatisfying(
                            DeployFailure.class, e -> assertThat(e.code()).isEqualTo(code))
                    .hasMessageContaining(message);
        }
        assertThat(server.paths()).isEmpty();
    }
}
