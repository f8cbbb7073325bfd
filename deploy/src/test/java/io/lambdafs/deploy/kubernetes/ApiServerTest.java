package io.lambdafs.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Deploying against a real API server with Knative's own definition of a Service, in a namespace of the test's own. Skipped where {@code
 * LAMBDAFS_TEST_KUBECONFIG} names no kubeconfig of a cluster's administrator.
 */
class ApiServerTest {
    private static final Target NOWHERE = new Target(null, null, "", null, "", Map.of());

    @TempDir
    private Path directory;

    private final String namespace = "lambdafs-deploy-" + Long.toHexString(System.nanoTime());
    private Path kubeconfig;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        String named = System.getenv("LAMBDAFS_TEST_KUBECONFIG");
        assumeTrue(named != null, "LAMBDAFS_TEST_KUBECONFIG names no kubeconfig: no real API server is asked");
        kubeconfig = Path.of(named);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        try (InputStream in = ApiServerTest.class.getResourceAsStream("/knative/service.yaml")) {
            client.load(Objects.requireNonNull(in)).serverSideApply();
        }
        Awaitility.await().until(() -> client.getApiResources(Kind.KNATIVE_SERVICE.apiVersion()) != null);
    }

    @AfterEach
    void stop() {
        if (client != null) {
            client.namespaces().withName(namespace).delete();
            client.close();
        }
    }

    private Platform open(PlatformProvider provider) {
        return provider.open(
                new Target(null, directory.resolve("apikey"), namespace, kubeconfig, "", Map.of("wait", "0")));
    }

    private void deployTwiceAndRemove(PlatformProvider provider, List<Kind> kinds) {
        PlanFixture plans = new PlanFixture(directory);
        FunctionsSpec wanted = plans.wanted(2);
        try (Platform platform = open(provider)) {
            assertThat(platform.check(wanted)).noneMatch(Problem::isFault);
            assertThat(platform.apply(wanted, true)).extracting(Change::kind).containsOnly(Change.Kind.CREATED);
            assertThat(platform.apply(wanted, false)).extracting(Change::kind).containsOnly(Change.Kind.CREATED);
            assertThat(platform.apply(wanted, true)).extracting(Change::kind).containsOnly(Change.Kind.UNCHANGED);
            assertThat(platform.apply(wanted, false)).extracting(Change::kind).containsOnly(Change.Kind.UNCHANGED);
            assertThat(platform.apply(PlanFixture.with(wanted, image -> image + "2"), false))
                    .extracting(Change::kind)
                    .contains(Change.Kind.UPDATED);
            assertThat(platform.remove("music", false)).isNotEmpty();
            assertThat(platform.remove("music", false)).isEmpty();
        }
        for (Kind kind : kinds) {
            assertThat(client.genericKubernetesResources(kind.context())
                            .inNamespace(namespace)
                            .withLabel(Cluster.LABEL)
                            .list()
                            .getItems())
                    .isEmpty();
        }
    }

    @Test
    void shouldDeployKnativeServicesTwiceAndLeaveNothing() {
        deployTwiceAndRemove(new KnativeProvider(), List.of(Kind.KNATIVE_SERVICE, Kind.CONFIG_MAP, Kind.SECRET));
    }

    @Test
    void shouldDeployTheGatewayTwiceAndLeaveNothing() {
        deployTwiceAndRemove(
                new GatewayProvider(), List.of(Kind.DEPLOYMENT, Kind.SERVICE, Kind.CONFIG_MAP, Kind.SECRET, Kind.ROLE));
    }

    @Test
    void shouldHaveTheServerRefuseWhatKnativesDefinitionDoesNotAllow() {
        GenericKubernetesResource service = KnativePlatform.manifests(new PlanFixture(directory).wanted(1), NOWHERE)
                .get(2);
        Map<String, Object> template = service.get("spec", "template", "spec");
        template.put("containerConcurency", 4);

        assertThatThrownBy(() -> client.resource(service)
                        .inNamespace(namespace)
                        .dryRun(true)
                        .fieldValidation(FieldValidateable.Validation.STRICT)
                        .fieldManager("test")
                        .serverSideApply())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("containerConcurency");
    }

    @Test
    void shouldSeeTheQuota() {
        client.resourceQuotas()
                .inNamespace(namespace)
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("small")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("limits.memory", new Quantity("100Mi"))
                        .endSpec()
                        .build())
                .create();
        try (Platform platform = open(new KnativeProvider())) {
            assertThat(platform.check(new PlanFixture(directory).wanted(1)))
                    .filteredOn(Problem::isFault)
                    .extracting(Problem::code)
                    .containsExactly(Problem.Code.QUOTA);
        }
    }
}
