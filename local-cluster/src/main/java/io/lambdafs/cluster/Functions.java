package io.lambdafs.cluster;

import io.lambdafs.cluster.secure.Certificates;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.InstanceSettings;
import io.lambdafs.cluster.store.StoreAccess;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.openwhisk.OpenWhiskDeployer;
import io.lambdafs.rpc.Leeway;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.tls.Tls;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Registers the functions with the gateway and removes them; both may be repeated. Stateless. */
final class Functions {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long RUN_LIMIT_MILLIS = 60_000;
    private static final int LOGS_MB = 10;

    private Functions() {}

    private static Optional<Tls> tls(ClusterDirectory directory, ClusterSettings settings) {
        return Certificates.files(directory, settings, Certificates.Role.OPERATOR)
                .map(Tls::of);
    }

    /** Registers the n functions. */
    static void register(ClusterDirectory directory, ClusterSettings settings, URI gateway) {
        deploy(directory, settings, gateway, "register the functions", deployer -> {
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < settings.deployments(); i++) {
                all.add(deployer.put(spec(settings, LocalCluster.ACTION_PREFIX + i, ServiceFiles.KIND))
                        .toCompletableFuture());
            }
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        });
    }

    /** Removes the functions of deployments from a number on, which ends their instances cleanly. */
    static void removeFrom(ClusterDirectory directory, ClusterSettings settings, URI gateway, int first) {
        deploy(
                directory,
                settings,
                gateway,
                "remove functions",
                deployer -> deployer.list()
                        .thenCompose(names -> CompletableFuture.allOf(names.stream()
                                .filter(name -> isFrom(name, first))
                                .map(name -> deployer.remove(name).toCompletableFuture())
                                .toArray(CompletableFuture[]::new))));
    }

    private static boolean isFrom(String name, int first) {
        String number =
                name.startsWith(LocalCluster.ACTION_PREFIX) ? name.substring(LocalCluster.ACTION_PREFIX.length()) : "";
        return number.matches("[0-9]{1,4}") && Integer.parseInt(number) >= first;
    }

    /** Registers the function of a {@link Training}. */
    static void registerTraining(ClusterDirectory directory, ClusterSettings settings, URI gateway) {
        String name = Training.ACTION_PREFIX + Training.deployment(settings);
        deploy(
                directory,
                settings,
                gateway,
                "register " + name,
                deployer -> deployer.put(spec(settings, name, ServiceFiles.TRAINING_KIND)));
    }

    /** Removes the function of a {@link Training}, which ends its instance cleanly. */
    static void removeTraining(ClusterDirectory directory, ClusterSettings settings, URI gateway) {
        String name = Training.ACTION_PREFIX + Training.deployment(settings);
        deploy(directory, settings, gateway, "remove " + name, deployer -> deployer.remove(name));
    }

    private static void deploy(
            ClusterDirectory directory,
            ClusterSettings settings,
            URI gateway,
            String what,
            Function<OpenWhiskDeployer, CompletionStage<?>> step) {
        ApiKey key;
        try {
            key = ApiKey.fromFile(directory.managementKey());
        } catch (IOException e) {
            throw FsException.unavailable("cannot read the gateway's management key: " + e.getMessage(), e);
        }
        try (HttpClient http = new HttpClient(Runnable::run, tls(directory, settings))) {
            StoreAccess.await(step.apply(new OpenWhiskDeployer(http, gateway, "_", key, true, Leeway.of(LIMIT))), what);
        }
    }

    private static ActionSpec spec(ClusterSettings settings, String name, String kind) {
        InstanceSettings instance = settings.instance();
        return ActionSpec.of(
                name,
                ActionExec.ofKind(kind),
                new ActionLimits(RUN_LIMIT_MILLIS, instance.memoryMb(), LOGS_MB, instance.concurrency()));
    }
}
