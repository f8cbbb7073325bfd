package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares a gateway's requests to the API server with the Role that the chart grants. */
@EnableKubernetesMockClient(crud = true)
class GatewayRightsTest {
    private static final String GATEWAY = "fs-gateway";
    private static final Pattern PATH =
            Pattern.compile("/apis?/(?:[^/]+/)?v1/namespaces/[^/]+/([a-z]+)(?:/([^/?]+))?(?:\\?(.*))?");
    private static final PodTemplate TEMPLATE =
            PodTemplate.parse("kind: Pod\nspec: {containers: [{name: instance, image: lambdafs}]}");
    /** For which a Role cannot name objects. */
    private static final Set<String> OF_ALL = Set.of("create", "list", "watch", "deletecollection");

    /** Set by the extension. */
    private KubernetesMockServer server;

    /** Set by the extension. */
    private KubernetesClient client;

    private final SystemScheduler scheduler = new SystemScheduler("rights-test", 2, 100);
    private final HttpClient http = new HttpClient(scheduler, Optional.empty());
    private final Set<Asked> asked = new LinkedHashSet<>();
    private HelmChart chart;
    private OwnerReference owner;

    /** A request as a Role sees it. */
    private record Asked(String verb, String resource, String name) {}

    @BeforeEach
    void prepare() throws Exception {
        chart = HelmChart.find();
        TestPods.makeGateway(client, GATEWAY);
        owner = PodLauncher.owner(client, GATEWAY);
        client.pods().resource(TEMPLATE.pod("left", 300, owner)).create();
        client.pods()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("own")
                        .endMetadata()
                        .build())
                .create();
        collect();
        asked.clear();
    }

    @AfterEach
    void close() {
        http.close();
        scheduler.close();
    }

    /** Takes what was asked since the last time. */
    private Set<Asked> collect() throws InterruptedException {
        for (var request = server.takeRequest(20, TimeUnit.MILLISECONDS);
                request != null;
                request = server.takeRequest(20, TimeUnit.MILLISECONDS)) {
            Matcher path = PATH.matcher(request.getPath());
            assertThat(path.matches()).as(request.getPath()).isTrue();
            String name = Optional.ofNullable(path.group(2)).orElse("");
            String query = Optional.ofNullable(path.group(3)).orElse("");
            asked.add(new Asked(verb(request.getMethod(), name, query), path.group(1), name));
        }
        return asked;
    }

    private static String verb(String method, String name, String query) {
        return switch (method.toUpperCase(Locale.ROOT)) {
            case "GET" -> query.contains("watch=true") ? "watch" : name.isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> throw new AssertionError(method);
        };
    }

    private void awaitAsked(String verb, String resource) {
        await().until(() -> collect().stream()
                .anyMatch(each -> each.verb().equals(verb) && each.resource().equals(resource)));
    }

    /** From a start after another gateway, by an instance, to the end. */
    private void serve() throws Exception {
        try (PodLauncher launcher = PodLauncher.open(
                new PodLauncher.Settings(
                        "java:namenode", "namenode", GATEWAY, TEMPLATE, Duration.ofSeconds(60), Duration.ofSeconds(5)),
                client,
                scheduler,
                address -> ActionEndpoint.at(address, 1, false, http, Secret.of("key")))) {
            assertThat(launcher.launch("java:namenode", 300, "i-1")).isNotNull();
            awaitAsked("create", "pods");
            awaitAsked("watch", "pods");
        }
        awaitAsked("deletecollection", "pods");
    }

    private void demand(int replicas) throws Exception {
        Role role = HelmChart.find(
                chart.rendered("--set", "fullnameOverride=fs,gateway.replicas=" + replicas), Role.class, GATEWAY);
        assertThat(asked)
                .allSatisfy(
                        each -> assertThat(role.getRules()).as(each.toString()).anyMatch(rule -> permits(rule, each)));
        Set<String> needed = new TreeSet<>();
        asked.forEach(each -> needed.add(each.resource() + " " + each.verb()));
        Set<String> given = new TreeSet<>();
        for (PolicyRule rule : role.getRules()) {
            rule.getResources().forEach(resource -> rule.getVerbs().forEach(verb -> given.add(resource + " " + verb)));
        }
        assertThat(given).isEqualTo(needed);
        assertThat(role.getRules())
                .filteredOn(rule -> !rule.getResources().equals(List.of("pods")))
                .filteredOn(rule -> rule.getVerbs().stream().noneMatch(OF_ALL::contains))
                .allSatisfy(rule -> assertThat(rule.getResourceNames()).containsExactly(GATEWAY));
    }

    private static boolean permits(PolicyRule rule, Asked asked) {
        boolean named = rule.getResourceNames().isEmpty()
                || (!OF_ALL.contains(asked.verb()) && rule.getResourceNames().contains(asked.name()));
        return rule.getResources().contains(asked.resource()) && rule.getVerbs().contains(asked.verb()) && named;
    }

    @Test
    void shouldNeedWhatOneGatewayMay() throws Exception {
        PodLauncher.owner(client, GATEWAY);
        serve();
        demand(1);
    }

    @Test
    void shouldNeedWhatOneOfSeveralMay() throws Exception {
        PodLauncher.owner(client, GATEWAY);
        Leadership.Times times =
                new Leadership.Times(Duration.ofSeconds(60), Duration.ofSeconds(50), Duration.ofMillis(300));
        try (Leadership leadership =
                Leadership.seek(client, new Leadership.Candidate(GATEWAY, "own", owner), times, () -> {})) {
            leadership.leads().toCompletableFuture().get();
            leadership.takeCalls();
            serve();
            awaitAsked("patch", "leases");
        }
        collect();
        demand(2);
    }
}
