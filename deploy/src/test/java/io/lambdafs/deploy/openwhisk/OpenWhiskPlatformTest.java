package io.lambdafs.deploy.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Deployment;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.GatewayConfig;
import io.lambdafs.platform.local.GatewayFixture;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --platform openwhisk} against λFS's own gateway. */
class OpenWhiskPlatformTest {
    private static final String ACTIONS = "/api/v1/namespaces/_/actions";

    @TempDir
    private Path directory;

    private GatewayFixture gateway;
    private PlanFixture plans;

    @BeforeEach
    void start() throws Exception {
        gateway = new GatewayFixture(UnaryOperator.identity());
        plans = new PlanFixture(directory);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void restart(UnaryOperator<GatewayConfig> change) throws Exception {
        gateway.close();
        gateway = new GatewayFixture(change);
    }

    private Target target(ApiKey key) throws IOException {
        Path file = directory.resolve("key");
        key.writeTo(file);
        return target(gateway.gateway.url(), file);
    }

    private static Target target(URI url, Path key) {
        return new Target(url, key, "", null, "", Map.of("kind", "test", "proof", "true", "probe", "false"));
    }

    private Plan plan(FunctionsSpec wanted) throws IOException {
        return new Plan("openwhisk", target(GatewayFixture.KEY), wanted);
    }

    private List<Change.Kind> deploy(FunctionsSpec wanted) throws IOException {
        Deployment.Report report = Deployment.deploy(plan(wanted), plans.clients(), Deployment.Mode.APPLY);
        assertThat(report.hasFault()).as(report.problems().toString()).isFalse();
        return report.changes().stream().map(Change::kind).toList();
    }

    private List<Problem> faults(Target target, FunctionsSpec wanted) throws IOException {
        Deployment.Report report =
                Deployment.deploy(new Plan("openwhisk", target, wanted), plans.clients(), Deployment.Mode.APPLY);
        assertThat(Files.exists(plans.clients())).isFalse();
        return report.problems().stream().filter(Problem::isFault).toList();
    }

    private List<String> names() throws Exception {
        return GatewayFixture.json(gateway.send("GET", ACTIONS, "")).findValuesAsText("name");
    }

    @Test
    void shouldChangeNothingTheSecondTimeAndLeaveNothing() throws Exception {
        gateway.put("other", 1);

        assertThat(deploy(plans.wanted(3))).containsOnly(Change.Kind.CREATED).hasSize(3);
        assertThat(deploy(plans.wanted(3))).containsOnly(Change.Kind.UNCHANGED).hasSize(3);
        assertThat(names()).containsExactly("music-nn0", "music-nn1", "music-nn2", "other");
        // Fewer functions, of a store that knows of it already: what is beyond them goes.
        try (Platform platform = new OpenWhiskProvider().open(target(GatewayFixture.KEY))) {
            assertThat(platform.apply(plans.wanted(2), false))
                    .extracting(Change::kind)
                    .containsExactly(Change.Kind.UPDATED, Change.Kind.UPDATED, Change.Kind.REMOVED);
        }

        Plan kept = Plan.read(plans.clients()).orElseThrow();
        Deployment.Report gone = Deployment.remove(kept.platform(), kept.target(), "music", plans.clients(), false);
        assertThat(gone.changes())
                .extracting(Change::kind)
                .containsOnly(Change.Kind.REMOVED)
                .hasSize(2);
        assertThat(names()).containsExactly("other");
        assertThat(plans.clients()).isEmptyDirectory();
    }

    @Test
    void shouldTellInstancesTheirConfigurationAndClientsTheirs() throws Exception {
        deploy(plans.wanted(1));

        JsonNode action = GatewayFixture.json(gateway.send("GET", ACTIONS + "/music-nn0", ""));
        Map<String, String> told = new HashMap<>();
        action.path("parameters").forEach(each -> {
            assertThat(each.path("init").asBoolean()).isTrue();
            told.put(each.path("key").asText(), each.path("value").asText());
        });
        assertThat(told).containsOnlyKeys("LAMBDAFS_CONFIG", "LAMBDAFS_SECRET", "MORE");
        assertThat(told.get("LAMBDAFS_SECRET"))
                .isEqualTo(Files.readString(directory.resolve("secret")).strip());
        assertThat(told.get("LAMBDAFS_CONFIG"))
                .contains("store.example.com:7000")
                .doesNotContain("secretFile");
        assertThat(action.path("limits").toString())
                .isEqualTo("{\"timeout\":30000,\"memory\":256,\"logs\":10,\"concurrency\":4}");
        JsonNode client = Json.parseObject(Files.readAllBytes(plans.clients().resolve("client.json")));
        assertThat(client.path("api").asText()).isEqualTo("openwhisk");
        assertThat(client.path("actionPrefix").asText()).isEqualTo("music-nn");
        assertThat(client.path("gateway").asText())
                .isEqualTo(gateway.gateway.url().toString());
    }

    @Test
    void shouldSayInADryRunWhatItWouldSendWithoutSecretsAndSendNothing() throws Exception {
        Deployment.Report report = Deployment.deploy(plan(plans.wanted(2)), plans.clients(), Deployment.Mode.DRY_RUN);

        assertThat(report.changes()).extracting(Change::kind).containsOnly(Change.Kind.CREATED);
        assertThat(report.json().toString())
                .contains("LAMBDAFS_CONFIG", "(secret)")
                .containsSubsequence("lambdafs-cluster", "lambdafs-digest")
                .containsSubsequence("LAMBDAFS_CONFIG", "LAMBDAFS_SECRET", "MORE")
                .doesNotContain(Files.readString(directory.resolve("secret")).strip());
        assertThat(names()).isEmpty();
        assertThat(plans.clients()).doesNotExist();
    }

    @Test
    void shouldPutBackWhatItChangedWhereItFails() throws Exception {
        deploy(plans.wanted(1));
        String before = gateway.send("GET", ACTIONS + "/music-nn0", "").body();
        try (Platform platform = new OpenWhiskProvider().open(target(GatewayFixture.KEY))) {
            FunctionsSpec more = plans.wanted(1000);
            gateway.put("one-too-many", 1);

            assertThatThrownBy(() -> platform.apply(more, false))
                    .isInstanceOf(DeployFailure.class)
                    .hasMessageContaining("more than 1000 actions");
        }
        assertThat(names()).containsExactly("music-nn0", "one-too-many");
        JsonNode now = GatewayFixture.json(gateway.send("GET", ACTIONS + "/music-nn0", ""));
        JsonNode then = Json.mapper().readTree(before);
        assertThat(now.path("parameters")).containsExactlyInAnyOrderElementsOf(then.path("parameters"));
        assertThat(now.path("annotations")).containsExactlyInAnyOrderElementsOf(then.path("annotations"));
    }

    @Test
    void shouldRefuseWhatThePlatformWillNotHave() throws Exception {
        restart(config -> config.withManagementKey(ApiKey.of("manager:secret")));
        FunctionsSpec wanted = plans.wanted(1);
        Target calls = target(GatewayFixture.KEY);
        assertThat(faults(calls, wanted)).extracting(Problem::code).containsExactly(Problem.Code.FORBIDDEN);
        assertThat(faults(target(ApiKey.of("user:wrong")), wanted))
                .extracting(Problem::code)
                .containsExactly(Problem.Code.CREDENTIALS);
        assertThat(faults(target(URI.create("http://127.0.0.1:1"), directory.resolve("key")), wanted))
                .extracting(Problem::code)
                .containsExactly(Problem.Code.UNREACHABLE);
        Target manages = target(ApiKey.of("manager:secret"));
        assertThat(faults(manages, plans.wanted(1, "", 4_000)))
                .extracting(Problem::code)
                .containsExactly(Problem.Code.CONCURRENCY);
        Target blackbox = new Target(
                manages.apiHost(), manages.authFile(), "", null, "", Map.of("proof", "true", "probe", "false"));
        assertThat(faults(blackbox, plans.wanted(1, "", 4)))
                .extracting(Problem::code)
                .containsExactly(Problem.Code.IMAGE);
        gateway.sendAsync(ApiKey.of("manager:secret"), "PUT", ACTIONS + "/music-nn7", GatewayFixture.action(1))
                .get();
        assertThat(faults(manages, wanted)).extracting(Problem::code).containsExactly(Problem.Code.NAME_TAKEN);
        assertThat(Deployment.remove("openwhisk", manages, "music", plans.clients(), false)
                        .changes())
                .isEmpty();
    }

    @Test
    void shouldLeaveTheDirectoryOfAnotherClusterAlone() throws Exception {
        Files.createDirectories(plans.clients());
        Files.writeString(plans.clients().resolve("cluster.json"), "{}");

        assertThatThrownBy(() -> deploy(plans.wanted(1))).hasMessageContaining("directory of another cluster");
        assertThat(names()).isEmpty();
    }
}
