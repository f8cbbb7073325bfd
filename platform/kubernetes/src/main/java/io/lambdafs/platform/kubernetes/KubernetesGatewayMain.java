package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.local.GatewayConfig;
import io.lambdafs.platform.local.GatewayProcess;
import io.lambdafs.platform.local.KnownActions;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.auth.PrivateFile;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The gateway as a process in a Kubernetes cluster, with pods for instances. Its single argument is a JSON file with
 * {@link KubernetesConfig}'s keys. SIGTERM ends it and its pods in order. Exit codes: 143 after SIGTERM, 70 if one of
 * its threads died, 2 for wrong usage or configuration, 3 if an address is taken or the API server does not answer.
 */
public final class KubernetesGatewayMain {
    private static final String POD = "LAMBDAFS_POD";

    private KubernetesGatewayMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(KubernetesGatewayMain.class, arguments, file -> start(KubernetesConfig.load(file)));
    }

    private static Runnable start(KubernetesConfig config) throws IOException {
        GatewayConfig gateway = GatewayProcess.configuration(config.gateway());
        PodLauncher.Settings settings = new PodLauncher.Settings(
                config.functions().kind(),
                config.functions().prefix(),
                config.deployment(),
                template(config.podTemplate()),
                gateway.startLimit(),
                gateway.pool().stopGrace());
        Secret key = Secret.of(privateText(config.actionKeyFile()));
        KubernetesClient client = new KubernetesClientBuilder().build();
        StandbyGateway.Start start = () -> GatewayProcess.start(
                gateway,
                (scheduler, http) -> open(config, gateway, settings, new Links(client, scheduler, http, key)),
                KnownActions.of(config.functions().specs()));
        try {
            Runnable end = config.lease().isEmpty()
                    ? start.start()::close
                    : StandbyGateway.open(gateway, client, candidate(config, client), config.leadership(), start)
                            ::close;
            return () -> {
                end.run();
                client.close();
            };
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Returns the pods' template with the instances' configuration, which the chart and {@code deploy} put beside it.
     */
    private static PodTemplate template(Path file) throws IOException {
        Path configuration = file.resolveSibling("function.json");
        return PodTemplate.parse(
                Files.readString(file), Files.exists(configuration) ? Files.readString(configuration) : "");
    }

    private static Leadership.Candidate candidate(KubernetesConfig config, KubernetesClient client) throws IOException {
        String pod = System.getenv(POD);
        if (pod == null || pod.isEmpty()) {
            throw new IllegalArgumentException(
                    POD + " is not set: with a lease it must name the gateway's own pod (fieldRef metadata.name)");
        }
        return new Leadership.Candidate(config.lease(), pod, PodLauncher.owner(client, config.deployment()));
    }

    /** The connections to the API server and the pods. */
    private record Links(KubernetesClient client, Scheduler scheduler, HttpClient http, Secret key) {}

    private static PodLauncher open(
            KubernetesConfig config, GatewayConfig gateway, PodLauncher.Settings settings, Links links)
            throws IOException {
        boolean https = gateway.tls().isPresent();
        Function<String, ActionEndpoint> endpoints =
                address -> ActionEndpoint.at(address, config.port(), https, links.http(), links.key());
        return PodLauncher.open(settings, links.client(), links.scheduler(), endpoints);
    }

    private static String privateText(Path file) throws IOException {
        if (PrivateFile.openTo(file).isPresent()) {
            throw new IOException(file + ": others than its owner may use it; run chmod 600 " + file);
        }
        return Files.readString(file).strip();
    }
}
