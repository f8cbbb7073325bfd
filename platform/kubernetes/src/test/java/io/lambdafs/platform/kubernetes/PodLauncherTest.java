package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods against a fake API server, whose kubelet is the test: it says that containers run at an address where a server of the test listens. */
@EnableKubernetesMockClient(crud = true)
class PodLauncherTest {
    private static final String KIND = "java:namenode";
    private static final String GATEWAY = "fs-gateway";
    private static final String TEMPLATE = """
            apiVersion: v1
            kind: Pod
            metadata:
              labels: {app.kubernetes.io/name: lambdafs}
            spec:
              containers:
                - name: instance
                  image: lambdafs:1
                  resources: {requests: {cpu: 100m}}
            """;

    private static final Secret KEY = Secret.of("key");

    /** Set by the extension. */
    private KubernetesMockServer server;

    /** Set by the extension. */
    private KubernetesClient client;

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 1024);
    private final HttpClient http = new HttpClient(scheduler, Optional.empty());
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private volatile String health = "\"status\":\"ready\",\"deployment\":1";
    private HttpServer instance;
    private PodLauncher launcher;

    @BeforeEach
    void start() throws IOException {
        instance = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Instance(), HttpLimits.defaults());
        TestPods.makeGateway(client, GATEWAY);
        launcher = open(Duration.ofSeconds(60));
    }

    @AfterEach
    void stop() {
        launcher.close();
        instance.close();
        http.close();
        scheduler.close();
    }

    private PodLauncher open(Duration startLimit) throws IOException {
        return open(startLimit, "");
    }

    private PodLauncher open(Duration startLimit, String configuration) throws IOException {
        PodTemplate template = PodTemplate.parse(TEMPLATE, configuration);
        return PodLauncher.open(
                new PodLauncher.Settings(KIND, "namenode", GATEWAY, template, startLimit, Duration.ofSeconds(5)),
                client,
                scheduler,
                address -> ActionEndpoint.at(address, instance.port(), false, http, KEY));
    }

    private final class Instance implements HttpHandler {
        @Override
        public List<Secret> keys() {
            return List.of(KEY);
        }

        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            int status = call.path().equals("/healthz") && !healthy.get() ? 503 : 200;
            return CompletableFuture.completedFuture(
                    HttpReply.json(status, "{\"asked\":\"" + call.path() + "\"," + health + "}"));
        }
    }

    private Pod awaitPod(String name) {
        return await().until(() -> client.pods().withName(name).get(), pod -> pod != null);
    }

    private void run(String name) {
        client.pods().resource(TestPods.running(awaitPod(name), "127.0.0.1")).updateStatus();
    }

    private void terminate(String name, int code) {
        client.pods()
                .resource(new PodBuilder(awaitPod(name))
                        .withNewStatus()
                        .withPhase("Failed")
                        .addNewContainerStatus()
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(code)
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build())
                .updateStatus();
    }

    private RunningInstance launched(String id) throws Exception {
        CompletableFuture<RunningInstance> launch =
                launcher.launch(KIND, 300, id).toCompletableFuture();
        run(GATEWAY + "-" + id);
        return launch.get();
    }

    private String deploymentUid() {
        return client.apps().deployments().withName(GATEWAY).get().getMetadata().getUid();
    }

    private void awaitNoPods() {
        await().until(() -> client.pods().list().getItems().isEmpty());
    }

    @Test
    void shouldMakeAPodThatBelongsToTheGatewaysDeployment() {
        CompletableFuture<RunningInstance> launch =
                launcher.launch(KIND, 300, "i-1").toCompletableFuture();

        Pod pod = awaitPod("fs-gateway-i-1");

        assertThat(pod.getMetadata().getLabels())
                .containsEntry("app.kubernetes.io/name", "lambdafs")
                .containsEntry("lambdafs.io/gateway", GATEWAY)
                .containsEntry("lambdafs.io/instance", "i-1");
        assertThat(pod.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getKind()).isEqualTo("Deployment");
            assertThat(owner.getName()).isEqualTo(GATEWAY);
            assertThat(owner.getUid()).isEqualTo(deploymentUid());
        });
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getContainers()).singleElement().satisfies(container -> {
            assertThat(container.getResources().getLimits().get("memory")).hasToString("300Mi");
            assertThat(container.getResources().getRequests().get("memory")).hasToString("300Mi");
            assertThat(container.getResources().getRequests().get("cpu")).hasToString("100m");
            assertThat(container.getEnv())
                    .anySatisfy(variable -> assertThat(variable.getName() + "=" + variable.getValue())
                            .isEqualTo("LAMBDAFS_INSTANCE_ID=i-1"));
        });
        assertThat(launch).isNotDone();
    }

    @Test
    void shouldCallThePodOnceItAnswers() throws Exception {
        healthy.set(false);
        CompletableFuture<RunningInstance> launch =
                launcher.launch(KIND, 300, "i-1").toCompletableFuture();
        run("fs-gateway-i-1");
        assertThat(launch).isNotDone();
        healthy.set(true);

        RunningInstance running = launch.get();

        byte[] reply =
                running.init(new byte[] {'{', '}'}).toCompletableFuture().get().body();
        assertThat(new String(reply, StandardCharsets.UTF_8)).contains("/init");
    }

    /** Returns the failure of a launch for this answer of the API server. */
    private Throwable refused(String why) {
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/" + client.getNamespace() + "/pods")
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withMessage("pods \"fs-gateway-i-1\" is forbidden: " + why)
                                .build())
                .once();
        CompletableFuture<RunningInstance> launch =
                launcher.launch(KIND, 300, "i-1").toCompletableFuture();
        await().until(launch::isDone);
        return launch.handle((running, failure) -> failure).join();
    }

    @Test
    void shouldTellAQuotaFromARightThatIsMissing() {
        assertThat(refused("exceeded quota: small, requested: limits.memory=300Mi"))
                .as("for now")
                .isInstanceOfSatisfying(
                        FsException.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.THROTTLED));
        assertThat(refused("User \"fs\" cannot create resource \"pods\""))
                .as("for good")
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot create resource");
    }

    @Test
    void shouldRemoveAPodThatIsStopped() throws Exception {
        RunningInstance running = launched("i-1");

        running.stop(Duration.ofSeconds(5));

        running.onExit().toCompletableFuture().get();
        awaitNoPods();
    }

    @Test
    void shouldTellTheExitCodeOfAPodThatDies() throws Exception {
        RunningInstance running = launched("i-1");

        terminate("fs-gateway-i-1", 137);

        assertThat(running.onExit().toCompletableFuture().get()).isEqualTo(137);
        awaitNoPods();
    }

    @Test
    void shouldFailWhenAPodEndsAtItsStart() {
        CompletableFuture<RunningInstance> launch =
                launcher.launch(KIND, 300, "i-1").toCompletableFuture();
        terminate("fs-gateway-i-1", 64);

        assertThatThrownBy(() -> launch.get()).hasMessageContaining("ended at its start with code 64");
        awaitNoPods();
    }

    @Test
    void shouldRemoveAPodThatDoesNotAnswerInTime() throws Exception {
        launcher.close();
        launcher = open(Duration.ofMillis(300));
        CompletableFuture<RunningInstance> launch =
                launcher.launch(KIND, 300, "i-1").toCompletableFuture();

        assertThatThrownBy(() -> launch.get()).hasMessageContaining("did not answer within 300 ms");
        awaitNoPods();
    }

    private List<String> podNames() {
        return client.pods().list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    @Test
    void shouldTakeOverWhatAnotherGatewayLeft() throws Exception {
        launched("i-1");
        launcher.launch(KIND, 300, "i-2");
        awaitPod("fs-gateway-i-2");

        try (PodLauncher next = open(Duration.ofSeconds(60))) {
            assertThat(next.found()).singleElement().satisfies(found -> {
                assertThat(found.instanceId()).isEqualTo("i-1");
                assertThat(found.memoryMb()).isEqualTo(300);
                assertThat(found.action()).isEqualTo("namenode1");
                assertThat(found.running().run(new byte[] {'{', '}'}))
                        .succeedsWithin(PatientWaits.PATIENCE)
                        .extracting(reply -> new String(reply.body(), StandardCharsets.UTF_8))
                        .asString()
                        .contains("/run");
            });
            assertThat(podNames()).as("i-2 does not serve yet").containsExactly("fs-gateway-i-1");
            next.found().get(0).running().stop(Duration.ofSeconds(5));
            awaitNoPods();
        }
    }

    @Test
    void shouldTakeOverAPrewarmedPod() throws Exception {
        health = "\"status\":\"prewarmed\"";
        launched("i-1");

        try (PodLauncher next = open(Duration.ofSeconds(60))) {
            assertThat(next.found()).extracting(InstanceLauncher.Found::action).containsExactly("");
        }
    }

    @Test
    void shouldRemoveWhatHasAnotherConfigurationOrDoesNotServe() throws Exception {
        launched("i-1");
        try (PodLauncher next = open(Duration.ofSeconds(60), "{\"deployments\": 7}")) {
            assertThat(next.found()).isEmpty();
            awaitNoPods();
        }
        launched("i-2");
        health = "\"status\":\"left\"";
        try (PodLauncher next = open(Duration.ofSeconds(60))) {
            assertThat(next.found()).isEmpty();
            awaitNoPods();
        }
    }

    /** The API server has made the pod, and the gateway has been told that it failed: nobody waits for the pod any more. */
    @Test
    void shouldRemoveAPodWhoseAnswerWasLost() throws Exception {
        Pod made = launchedElsewhere("i-9");

        awaitNoPods();

        assertThat(made.getMetadata().getName()).isEqualTo("fs-gateway-i-9");
        launched("i-1");
        assertThat(podNames()).as("one that is waited for").containsExactly("fs-gateway-i-1");
    }

    /** A pod of this gateway that no launch knows. */
    private Pod launchedElsewhere(String id) throws IOException {
        return client.pods()
                .resource(PodTemplate.parse(TEMPLATE, "").pod(id, 300, PodLauncher.owner(client, GATEWAY)))
                .create();
    }

    @Test
    void shouldSayThatThereIsNoDeployment() {
        client.apps().deployments().withName(GATEWAY).delete();

        assertThatThrownBy(() -> open(Duration.ofSeconds(60)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no Deployment fs-gateway");
    }
}
