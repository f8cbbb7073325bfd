package io.lambdafs.platform.kubernetes;

import static io.lambdafs.platform.kubernetes.HelmChart.file;
import static io.lambdafs.platform.kubernetes.HelmChart.find;
import static io.lambdafs.platform.kubernetes.HelmChart.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and certificates of the chart, from installation to installation: helm looks up in an API server that has Secrets and nothing else. */
class HelmSecretsTest {
    private static final Map<String, String> DISCOVERY = Map.of(
            "/version", "{\"major\":\"1\",\"minor\":\"34\",\"gitVersion\":\"v1.34.0\"}",
            "/api", "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}",
            "/apis", "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[]}",
            "/api/v1",
                    "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"secrets\",\"singularName\":\"secret\",\"namespaced\":true,\"kind\":\"Secret\",\"verbs\":[\"get\"]}]}");

    @TempDir
    private Path directory;

    private final Map<String, Secret> secrets = new ConcurrentHashMap<>();
    private HelmChart chart;
    private HttpServer server;
    private Path kubeconfig;

    @BeforeEach
    void serve() throws Exception {
        chart = HelmChart.find();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            Secret secret = secrets.get(path.substring(path.lastIndexOf('/') + 1));
            String reply = secret == null ? DISCOVERY.get(path) : Serialization.asJson(secret);
            byte[] body = (reply == null
                            ? "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}"
                            : reply)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        kubeconfig = Files.writeString(
                directory.resolve("kubeconfig"),
                "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}], users: [{name: u, user: {}}], clusters: [{name: c, cluster: {server: \"http://127.0.0.1:"
                        + server.getAddress().getPort() + "\"}}]}");
    }

    @AfterEach
    void stop() {
        // Without helm the test is skipped before there is one.
        if (server != null) {
            server.stop(0);
        }
    }

    /** Renders with what was rendered before, as helm upgrade does. */
    private List<HasMetadata> upgraded(String values) throws Exception {
        List<HasMetadata> all =
                chart.rendered("--dry-run=server", "--kubeconfig", kubeconfig.toString(), "--set", values);
        all.stream()
                .filter(Secret.class::isInstance)
                .map(Secret.class::cast)
                .forEach(each -> secrets.put(each.getMetadata().getName(), each));
        return all;
    }

    private X509Certificate certificate(Secret secret, String key) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(text(secret, key).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldKeepTheKeysOfTheFirstInstallation() throws Exception {
        Secret first = find(upgraded("logLevel=INFO"), Secret.class, "fs-lambdafs");
        Secret second = find(upgraded("logLevel=DEBUG"), Secret.class, "fs-lambdafs");

        assertThat(second.getData()).isEqualTo(first.getData());
        assertThat(second.getImmutable())
                .as("an API server refuses others, of a render that knows no cluster")
                .isTrue();
        assertThat(text(first, "metricsuser") + ":" + text(first, "metricspassword"))
                .isEqualTo(text(first, "managementkey"));
    }

    @Test
    void shouldRenewTheCertificateUnderTheSameAuthority() throws Exception {
        upgraded("tls.enabled=true,store.engine=embedded");
        Secret before = secrets.get("fs-lambdafs-tls");
        Secret authority = secrets.get("fs-lambdafs-ca");
        upgraded("tls.enabled=true,clients.gateway=https://fs.example.com");
        Secret after = secrets.get("fs-lambdafs-tls");

        assertThat(text(after, "ca.crt")).isEqualTo(text(before, "ca.crt"));
        assertThat(secrets.get("fs-lambdafs-ca").getData()).isEqualTo(authority.getData());
        assertThat(authority.getImmutable()).isTrue();
        assertThat(text(after, "tls.crt")).isNotEqualTo(text(before, "tls.crt"));
        assertThat(certificate(before, "tls.crt").getSubjectAlternativeNames().toString())
                .doesNotContain("fs.example.com");
        X509Certificate renewed = certificate(after, "tls.crt");
        assertThat(renewed.getSubjectAlternativeNames().toString()).contains("fs.example.com", Tls.INSTANCE);
        renewed.verify(certificate(after, "ca.crt").getPublicKey());
        for (String name : List.of("ca.crt", "tls.crt", "tls.key")) {
            Files.writeString(directory.resolve(name), text(after, name));
        }
        assertThat(Tls.of(new TlsFiles(
                        directory.resolve("ca.crt"),
                        Optional.of(new TlsFiles.Own(directory.resolve("tls.crt"), directory.resolve("tls.key"))))))
                .isNotNull();
        assertThat(after.getData())
                .as("pods see no key of the authority")
                .containsOnlyKeys("ca.crt", "tls.crt", "tls.key");
    }

    @Test
    void shouldRenderTheSameWithoutACluster() throws Exception {
        String values =
                "secrets.existing=mine,tls.enabled=true,tls.certManager.enabled=true,metrics.serviceMonitor.enabled=true,backup.enabled=true";
        assertThat(chart.template("--set", values).output())
                .isEqualTo(chart.template("--set", values).output());
        assertThat(chart.rendered("--set", values)).noneMatch(Secret.class::isInstance);
        assertThat(chart.template("--set", "tls.enabled=true,tls.existing=mine,secrets.existing=mine")
                        .output())
                .isEqualTo(chart.template("--set", "tls.enabled=true,tls.existing=mine,secrets.existing=mine")
                        .output());
    }

    @Test
    void shouldHaveCertManagerRenewTheCertificate() throws Exception {
        List<HasMetadata> own = chart.rendered(
                "--set",
                "tls.enabled=true,tls.certManager.enabled=true,clients.gateway=https://10.1.2.3:30800,store.engine=postgres,store.postgres.url=jdbc:postgresql://d/f,store.postgres.user=u");
        GenericKubernetesResource certificate = find(own, GenericKubernetesResource.class, "fs-lambdafs-tls");
        assertThat(certificate.getApiVersion()).isEqualTo("cert-manager.io/v1");
        assertThat(certificate.getAdditionalProperties().get("spec").toString())
                .contains(
                        "secretName=fs-lambdafs-tls",
                        "encoding=PKCS8",
                        "duration=2160h",
                        "renewBefore=720h",
                        "server auth, client auth",
                        "ipAddresses=[127.0.0.1, 10.1.2.3]",
                        Tls.INSTANCE,
                        "fs-lambdafs-store-1.default.svc",
                        "*.fs-lambdafs-datanode.default.svc",
                        "kind=Issuer, name=fs-lambdafs-issuer");
        assertThat(own)
                .filteredOn(each -> each.getKind().equals("Issuer"))
                .extracting(each -> each.getMetadata().getName())
                .containsExactlyInAnyOrder("fs-lambdafs-selfsigned", "fs-lambdafs-issuer");
        List<HasMetadata> given = chart.rendered(
                "--set",
                "tls.enabled=true,tls.certManager.enabled=true,tls.certManager.issuer.name=ours,tls.certManager.issuer.kind=ClusterIssuer");
        assertThat(given).noneMatch(each -> each.getKind().equals("Issuer"));
        assertThat(find(given, GenericKubernetesResource.class, "fs-lambdafs-tls")
                        .getAdditionalProperties()
                        .get("spec")
                        .toString())
                .contains("kind=ClusterIssuer, name=ours");
    }

    @Test
    void shouldMakeOneCertificateForAllServices() throws Exception {
        List<HasMetadata> all =
                chart.rendered("--set", "tls.enabled=true,clients.gateway=https://10.1.2.3:30800,datanode.replicas=1");

        Secret tls = find(all, Secret.class, "fs-lambdafs-tls");
        for (String name : List.of("ca.crt", "tls.crt", "tls.key")) {
            Files.writeString(directory.resolve(name), text(tls, name));
        }
        // As a service reads it: key and certificate belong together.
        TlsFiles files = new TlsFiles(
                directory.resolve("ca.crt"),
                Optional.of(new TlsFiles.Own(directory.resolve("tls.crt"), directory.resolve("tls.key"))));
        assertThat(Tls.of(files)).isNotNull();
        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(Files.newInputStream(directory.resolve("tls.crt")));
        assertThat(certificate.getSubjectAlternativeNames().toString())
                .contains(
                        "10.1.2.3",
                        Tls.INSTANCE,
                        "fs-lambdafs-store",
                        "fs-lambdafs-gateway.default.svc",
                        "*.fs-lambdafs-datanode.default.svc");
        for (String name : List.of("function.json", "gateway.json", "store.json", "datanode.json")) {
            assertThat(file(all, name)).contains("\"tlsKey\":\"/etc/lambdafs-tls/tls.key\"");
        }
        assertThat(find(all, ConfigMap.class, "fs-lambdafs-client").getData().get("client.json"))
                .contains("https://10.1.2.3:30800", "\"tlsCa\":\"ca.crt\"");
        assertThat(chart.template("--set", "tls.enabled=true").output())
                .contains("scheme: HTTPS")
                .doesNotContain("/healthz, port: http}", "/healthz, port: metrics}", "/metrics, port: http}");
        assertThat(chart.rendered("--set", "tls.enabled=true,tls.existing=mine"))
                .noneMatch(each -> each.getMetadata().getName().equals("fs-lambdafs-tls"));
    }
}
