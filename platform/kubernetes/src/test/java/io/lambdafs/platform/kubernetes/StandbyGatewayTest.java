package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.local.GatewayConfig;
import io.lambdafs.platform.local.GatewayProcess;
import io.lambdafs.platform.local.KnownActions;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.platform.local.instance.ProcessLauncher;
import io.lambdafs.platform.local.pool.InstanceView;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A standby gateway on a fake API server, after the one that led has gone without a word: its Lease and its pods are still there. */
@EnableKubernetesMockClient(crud = true)
@Tag("slow")
class StandbyGatewayTest {
    private static final String KIND = "java:namenode";
    private static final String GATEWAY = "fs-gateway";
    private static final Secret KEY = Secret.of("key");
    private static final ApiKey API_KEY = ApiKey.of("user:password");
    private static final Leadership.Times TIMES =
            new Leadership.Times(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(50));
    private static final PodTemplate TEMPLATE = PodTemplate.parse("""
            kind: Pod
            spec:
              containers:
                - name: instance
                  image: lambdafs:1
            """);

    /** Set by the extension. */
    private KubernetesClient client;

    @TempDir
    private Path directory;

    private final AtomicInteger runs = new AtomicInteger();

    /** An instance of deployment 1. The other address has no listener. */
    private final class Instance implements HttpHandler {
        @Override
        public List<Secret> keys() {
            return List.of(KEY);
        }

        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            if (call.path().equals("/run")) {
                runs.incrementAndGet();
            }
            return CompletableFuture.completedFuture(
                    HttpReply.json(200, "{\"status\":\"ready\",\"deployment\":1,\"done\":true}"));
        }
    }

    private OwnerReference makeDeployment() throws Exception {
        TestPods.makeGateway(client, GATEWAY);
        return PodLauncher.owner(client, GATEWAY);
    }

    /** As the gateway before made it, and as a kubelet runs it. */
    private void makePod(String id, OwnerReference owner, String address) {
        client.pods()
                .resource(TestPods.running(TEMPLATE.pod(id, 300, owner), address))
                .create();
    }

    private void makeLease(OwnerReference owner) {
        client.leases()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(GATEWAY)
                        .withOwnerReferences(owner)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("gone")
                        .withLeaseDurationSeconds((int) TIMES.lease().toSeconds())
                        .withAcquireTime(ZonedDateTime.now(ZoneOffset.UTC))
                        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                        .withLeaseTransitions(1)
                        .endSpec()
                        .build())
                .create();
    }

    private List<String> podNames() {
        return client.pods().withLabel(PodTemplate.GATEWAY_LABEL).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private static HttpResponse<String> call(URI gateway) throws Exception {
        URI action = gateway.resolve("/api/v1/namespaces/_/actions/namenode1?blocking=true&result=true");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(action)
                                .timeout(PatientWaits.PATIENCE)
                                .header("Authorization", API_KEY.authorization())
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldServeWithThePodsOfALeaderThatIsGoneAndRemoveTheOthers() throws Exception {
        OwnerReference owner = makeDeployment();
        client.pods()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("two")
                        .endMetadata()
                        .build())
                .create();
        makePod("i-serves", owner, "127.0.0.1");
        makePod("i-lost", owner, "127.0.0.2");
        makeLease(owner);
        GatewayConfig config = GatewayConfig.load(
                Files.writeString(
                        directory.resolve("gateway.json"),
                        "{\"directory\": \"" + directory + "\", \"pool\": {\"prewarm\": 0}}"),
                Map.of(ProcessLauncher.API_KEY_VARIABLE, API_KEY.user() + ":" + API_KEY.password()));
        PodLauncher.Settings settings = new PodLauncher.Settings(
                KIND, "namenode", GATEWAY, TEMPLATE, Duration.ofSeconds(60), Duration.ofSeconds(5));
        List<ActionSpec> actions =
                List.of(ActionSpec.of("namenode1", ActionExec.ofKind(KIND), new ActionLimits(60_000, 300, 10, 4)));
        CompletableFuture<GatewayProcess> leading = new CompletableFuture<>();
        try (HttpServer instance = HttpServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new Instance(),
                        HttpLimits.defaults());
                StandbyGateway standby = StandbyGateway.open(
                        config, client, new Leadership.Candidate(GATEWAY, "two", owner), TIMES, () -> {
                            GatewayProcess process = GatewayProcess.start(
                                    config,
                                    (scheduler, http) -> PodLauncher.open(
                                            settings,
                                            client,
                                            scheduler,
                                            address -> ActionEndpoint.at(address, instance.port(), false, http, KEY)),
                                    KnownActions.of(actions));
                            leading.complete(process);
                            return process;
                        })) {
            assertThat(standby).isNotNull();
            assertThat(podNames()).as("while the Lease is good").hasSize(2);

            await().until(leading::isDone);

            GatewayProcess process = leading.join();
            await().untilAsserted(() -> assertThat(podNames()).containsExactly(GATEWAY + "-i-serves"));
            assertThat(process.gateway().pool().instances())
                    .extracting(InstanceView::id)
                    .containsExactly("i-serves");
            HttpResponse<String> reply = call(process.gateway().url());
            assertThat(reply.statusCode()).as("%s", reply.body()).isEqualTo(200);
            assertThat(runs).as("calls of the pod that was there").hasValue(1);
            assertThat(podNames()).as("no pod was started").containsExactly(GATEWAY + "-i-serves");
            assertThat(client.leases().withName(GATEWAY).get().getSpec().getHolderIdentity())
                    .isEqualTo("two");
        }
        await().untilAsserted(() -> assertThat(podNames()).isEmpty());
    }
}
