package io.lambdafs.platform.kubernetes;

import static io.lambdafs.platform.kubernetes.HelmChart.file;
import static io.lambdafs.platform.kubernetes.HelmChart.find;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the chart's pods are reached, whom they reach, and how they are watched. */
class HelmAccessTest {
    private static final String ALL =
            "datanode.replicas=2,datanode.blocks=s3://b/p,gateway.replicas=2,store.engine=ndb,store.ndb.image=mysql:ndb";

    @TempDir
    private Path directory;

    private HelmChart chart;

    @BeforeEach
    void findHelm() {
        chart = HelmChart.find();
    }

    private static <T extends HasMetadata> List<T> all(List<HasMetadata> rendered, Class<T> type) {
        return rendered.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static GenericKubernetesResource generic(List<HasMetadata> rendered, String kind) {
        return all(rendered, GenericKubernetesResource.class).stream()
                .filter(each -> each.getKind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind));
    }

    @Test
    void shouldLetTheGatewayBeReachedThroughALoadBalancer() throws Exception {
        Service service = find(
                chart.rendered(
                        "--set",
                        "gateway.service.type=LoadBalancer,gateway.service.loadBalancerClass=internal/nlb,gateway.service.loadBalancerSourceRanges={10.0.0.0/8},gateway.service.externalTrafficPolicy=Local"),
                Service.class,
                "fs-lambdafs-gateway");

        assertThat(service.getSpec().getLoadBalancerClass()).isEqualTo("internal/nlb");
        assertThat(service.getSpec().getLoadBalancerSourceRanges()).containsExactly("10.0.0.0/8");
        assertThat(service.getSpec().getExternalTrafficPolicy()).isEqualTo("Local");
    }

    @Test
    void shouldLetTheGatewayBeReachedThroughAnIngress() throws Exception {
        List<HasMetadata> rendered = chart.rendered(
                "--set",
                "gateway.ingress.enabled=true,gateway.ingress.host=fs.example.com,gateway.ingress.className=nginx,gateway.ingress.tlsSecret=web,gateway.ingress.annotations.on=true,clients.gateway=https://fs.example.com");

        Ingress ingress = find(rendered, Ingress.class, "fs-lambdafs-gateway");
        assertThat(ingress.getSpec().getIngressClassName()).isEqualTo("nginx");
        assertThat(ingress.getMetadata().getAnnotations()).containsEntry("on", "true");
        assertThat(ingress.getSpec().getTls().get(0).getSecretName()).isEqualTo("web");
        assertThat(ingress.getSpec().getRules()).singleElement().satisfies(rule -> {
            assertThat(rule.getHost()).isEqualTo("fs.example.com");
            assertThat(rule.getHttp()
                            .getPaths()
                            .get(0)
                            .getBackend()
                            .getService()
                            .getName())
                    .isEqualTo("fs-lambdafs-gateway");
        });
        assertThat(find(rendered, ConfigMap.class, "fs-lambdafs-client")
                        .getData()
                        .get("client.json"))
                .contains("\"gateway\":\"https://fs.example.com\"")
                .doesNotContain("tlsCa");
        assertThat(chart.template("--set", "gateway.ingress.enabled=true").output())
                .contains("gateway.ingress.host is missing");
        assertThat(chart.template("--set", "clients.gateway=http://fs.example.com")
                        .output())
                .as("its proof names the port")
                .contains("clients.gateway: http://HOST:PORT");
    }

    @Test
    void shouldLetTheGatewayBeReachedThroughTheGatewayApi() throws Exception {
        List<HasMetadata> rendered = chart.rendered(
                "--set",
                "gateway.route.enabled=true,gateway.route.parentRefs[0].name=edge,gateway.route.hostnames={fs.example.com}");

        assertThat(rendered)
                .filteredOn(each -> each.getKind().equals("HTTPRoute"))
                .singleElement()
                .satisfies(route -> assertThat(Serialization.asYaml(route))
                        .contains(
                                "gateway.networking.k8s.io/v1",
                                "edge",
                                "fs.example.com",
                                "fs-lambdafs-gateway",
                                "port: 8080"));
        assertThat(chart.template("--set", "gateway.route.enabled=true").output())
                .contains("gateway.route.parentRefs is missing");
        assertThat(all(chart.rendered("--set", "gateway.enabled=false"), GenericKubernetesResource.class))
                .isEmpty();
    }

    @Test
    void shouldDenyWhatNoPolicyAllows() throws Exception {
        List<NetworkPolicy> policies = all(chart.rendered("--set", ALL), NetworkPolicy.class);
        assertThat(policies)
                .filteredOn(each -> each.getMetadata().getName().equals("fs-lambdafs"))
                .singleElement()
                .satisfies(deny -> {
                    assertThat(deny.getSpec().getPodSelector().getMatchLabels())
                            .containsOnlyKeys("app.kubernetes.io/name", "app.kubernetes.io/instance");
                    assertThat(deny.getSpec().getPolicyTypes()).containsExactly("Ingress");
                    assertThat(deny.getSpec().getIngress()).isNullOrEmpty();
                });
        assertThat(policies)
                .allSatisfy(each -> assertThat(each.getSpec().getEgress()).isNullOrEmpty());
        assertThat(all(chart.rendered("--set", "networkPolicy.enabled=false"), NetworkPolicy.class))
                .isEmpty();
    }

    @Test
    void shouldLetTheReleasesOwnPodsInWhereClientsAreNamed() throws Exception {
        Path values = Files.writeString(directory.resolve("values.yaml"), """
                networkPolicy:
                  clients: [{namespaceSelector: {matchLabels: {clients: yes}}}]
                  metrics: [{namespaceSelector: {matchLabels: {monitoring: yes}}}]
                """);
        List<HasMetadata> rendered = chart.rendered("-f", values.toString());
        for (String role : List.of("gateway", "datanode")) {
            assertThat(find(rendered, NetworkPolicy.class, "fs-lambdafs-" + role)
                            .getSpec()
                            .getIngress()
                            .get(0)
                            .getFrom())
                    .as(role + ": a Job of the chart calls it too")
                    .anyMatch(peer -> peer.getPodSelector() != null)
                    .anyMatch(peer -> peer.getNamespaceSelector() != null);
        }
        for (String role : List.of("store", "datanode", "gateway")) {
            assertThat(find(rendered, NetworkPolicy.class, "fs-lambdafs-" + role)
                            .getSpec()
                            .getIngress())
                    .as(role)
                    .anySatisfy(rule -> assertThat(rule.getFrom().toString()).contains("monitoring"));
        }
    }

    @Test
    void shouldLetPodsReachNoMoreThanTheyNeed() throws Exception {
        Path values = Files.writeString(directory.resolve("values.yaml"), """
                networkPolicy:
                  clients: [{ipBlock: {cidr: 10.1.0.0/16}}]
                  egress:
                    enabled: true
                    apiServer: [{ipBlock: {cidr: 10.2.0.1/32}}]
                    objectStore: [{ipBlock: {cidr: 10.3.0.0/16}}]
                """);
        List<HasMetadata> rendered = chart.rendered("-f", values.toString(), "--set", "datanode.blocks=s3://b/p");

        NetworkPolicy all = find(rendered, NetworkPolicy.class, "fs-lambdafs");
        assertThat(all.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
        assertThat(egress(all))
                .contains("port=53", "app.kubernetes.io/instance=fs")
                .doesNotContain("10.");
        assertThat(egress(find(rendered, NetworkPolicy.class, "fs-lambdafs-gateway")))
                .contains("10.2.0.1/32")
                .doesNotContain("10.1", "10.3");
        assertThat(egress(find(rendered, NetworkPolicy.class, "fs-lambdafs-instance")))
                .contains("10.1.0.0/16")
                .doesNotContain("10.2", "10.3");
        assertThat(egress(find(rendered, NetworkPolicy.class, "fs-lambdafs-datanode")))
                .contains("10.3.0.0/16")
                .doesNotContain("10.1", "10.2");
        assertThat(find(rendered, NetworkPolicy.class, "fs-lambdafs-store")
                        .getSpec()
                        .getEgress())
                .isNullOrEmpty();
        NetworkPolicy database = find(
                chart.rendered(
                        "--set",
                        "networkPolicy.egress.enabled=true,store.engine=postgres,store.postgres.url=jdbc:postgresql://d/f,store.postgres.user=u"),
                NetworkPolicy.class,
                "fs-lambdafs-store");
        assertThat(database.getSpec().getEgress())
                .as("anywhere, where nothing says where the database is")
                .singleElement()
                .satisfies(rule -> assertThat(rule.getTo()).isNullOrEmpty());
    }

    private static String egress(NetworkPolicy policy) {
        return policy.getSpec().getEgress().stream()
                .map(NetworkPolicyEgressRule::toString)
                .toList()
                .toString()
                .replace("value=", "port=");
    }

    @Test
    void shouldBeScraped() throws Exception {
        List<HasMetadata> rendered = chart.rendered(
                "--set",
                "tls.enabled=true,metrics.serviceMonitor.enabled=true,metrics.serviceMonitor.labels.release=p,metrics.serviceMonitor.interval=5s");

        Service service = find(rendered, Service.class, "fs-lambdafs-metrics");
        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        assertThat(service.getSpec().getPorts())
                .extracting(ServicePort::getName)
                .containsExactly("metrics", "gateway");
        List<String> scraped = HelmChart.pods(rendered).entrySet().stream()
                .filter(each -> each.getValue()
                        .getMetadata()
                        .getLabels()
                        .entrySet()
                        .containsAll(service.getSpec().getSelector().entrySet()))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(scraped)
                .as("instances' figures are the gateway's too")
                .containsExactlyInAnyOrder("fs-lambdafs-gateway", "fs-lambdafs-store", "fs-lambdafs-datanode");
        GenericKubernetesResource monitor = generic(rendered, "ServiceMonitor");
        assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "p");
        String spec = String.valueOf(monitor.getAdditionalProperties().get("spec"));
        assertThat(spec)
                .contains(
                        "interval=5s",
                        "scheme=https",
                        "serverName=fs-lambdafs-store",
                        "key=metricspassword",
                        "name=fs-lambdafs-tls",
                        "jobLabel=app.kubernetes.io/name");
        assertThat(find(rendered, Secret.class, "fs-lambdafs").getData())
                .containsKeys("metricsuser", "metricspassword");
        assertThat(String.valueOf(
                        generic(chart.rendered("--set", "metrics.serviceMonitor.enabled=true"), "ServiceMonitor")
                                .getAdditionalProperties()))
                .contains("scheme=http,")
                .doesNotContain("relabelings");
        assertThat(String.valueOf(generic(
                                chart.rendered("--set", "metrics.serviceMonitor.enabled=true,gateway.replicas=2"),
                                "ServiceMonitor")
                        .getAdditionalProperties()))
                .as("one that waits to lead has no figures")
                .contains("__meta_kubernetes_pod_label_lambdafs_io_leader");
    }

    @Test
    void shouldBringRulesAndBoards() throws Exception {
        List<HasMetadata> rendered = chart.rendered(
                "--set", "metrics.rules.enabled=true,metrics.rules.labels.release=p,metrics.dashboards.enabled=true");

        GenericKubernetesResource rules = generic(rendered, "PrometheusRule");
        assertThat(rules.getMetadata().getLabels()).containsEntry("release", "p");
        assertThat(rules.getAdditionalProperties().toString())
                .contains("LambdafsUnreachable", "{{ $labels.job }} at {{ $labels.instance }}");
        ConfigMap boards = find(rendered, ConfigMap.class, "fs-lambdafs-dashboards");
        assertThat(boards.getMetadata().getLabels()).containsEntry("grafana_dashboard", "1");
        assertThat(boards.getData().keySet())
                .containsExactlyInAnyOrder("lambdafs-cluster.json", "lambdafs-storage.json");
        assertThat(boards.getData().values())
                .allSatisfy(each -> assertThat(each).startsWith("{").endsWith("}"));
        assertThat(all(chart.rendered(), GenericKubernetesResource.class)).isEmpty();
        assertThat(file(rendered, "function.json")).isNotEmpty();
    }
}
