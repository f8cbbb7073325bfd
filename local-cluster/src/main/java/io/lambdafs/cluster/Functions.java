package io.lambdafs.cluster;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.openwhisk.OpenWhiskDeployer;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.store.Deployments;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Formats an empty store and registers the functions with the gateway; both may be repeated. Stateless. */
final class Functions {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** Time for one of several store servers to take over, or to create the tables. */
    private static final Duration TAKING_OVER = Duration.ofSeconds(60);

    private static final long RUN_LIMIT_MILLIS = 60_000;
    private static final int LOGS_MB = 10;

    private Functions() {}

    /** Formats the store if empty; returns whether it was. */
    static boolean format(ClusterDirectory directory, ClusterSettings settings, List<Integer> storePorts) {
        return onStore(
                directory,
                settings,
                storePorts,
                "format the store",
                store -> Formatter.format(
                        store, settings.deployments(), settings.superuser(), System.currentTimeMillis()));
    }

    /** Runs an idempotent action on a cluster's store. */
    static <T> T onStore(
            ClusterDirectory directory,
            ClusterSettings settings,
            List<Integer> storePorts,
            String what,
            Function<MetadataStore, CompletionStage<T>> step) {
        Duration patience = settings.store().servers() > 1 ? TAKING_OVER : LIMIT;
        return withStore(directory, settings, storePorts, store -> untilAnswered(store, what, patience, step));
    }

    /** Runs an action with a connection to a cluster's store. */
    static <T> T withStore(
            ClusterDirectory directory,
            ClusterSettings settings,
            List<Integer> storePorts,
            Function<StoreClient, T> step) {
        Tokens tokens = settings.insecure() ? Tokens.insecure() : Tokens.signed(Secret.load(directory.secret()));
        List<InetSocketAddress> addresses = storePorts.stream()
                .map(port -> new InetSocketAddress(Hosts.loopback(), port))
                .toList();
        return withStore(new StoreAccess(addresses, tls(directory, settings), tokens), step);
    }

    /** The address of a store and the credentials for it. */
    private record StoreAccess(List<InetSocketAddress> addresses, Optional<Tls> tls, Tokens tokens) {}

    private static <T> T withStore(StoreAccess access, Function<StoreClient, T> step) {
        try (SystemScheduler scheduler = new SystemScheduler("store", 1, 64);
                NettyTransport transport =
                        new NettyTransport(StoreMessages.codec(), 1, "store-io", TransportLimits.DEFAULT);
                StoreClient store = StoreClient.connect(
                        access.tls()
                                .map(files -> transport.secured(files, TlsPeers.SERVICES))
                                .orElse(transport),
                        scheduler,
                        access.addresses(),
                        access.tokens())) {
            return step.apply(store);
        }
    }

    /**
     * Formats the store of an instance configuration if empty; otherwise changes its number of deployments to the
     * configured one.
     *
     * @throws FsException if the number cannot be changed, or the store does not answer
     */
    static StoreFormat.Found format(FunctionConfig config) {
        return onStore(
                config,
                "format the store",
                store -> Deployments.read(store)
                        .thenCompose(found -> found.isEmpty()
                                ? Formatter.format(
                                                store,
                                                config.deployments(),
                                                config.superuser(),
                                                System.currentTimeMillis())
                                        .thenApply(now -> now ? StoreFormat.Found.EMPTY : StoreFormat.Found.FORMATTED)
                                : Deployments.change(store, config.deployments())
                                        .thenApply(now -> now.equals(found.get())
                                                ? StoreFormat.Found.FORMATTED
                                                : StoreFormat.Found.OF_ANOTHER_NUMBER)));
    }

    /** Runs an idempotent action on the store of an instance configuration. */
    static <T> T onStore(FunctionConfig config, String what, Function<MetadataStore, CompletionStage<T>> step) {
        Tokens tokens =
                config.secretFile() == null ? Tokens.insecure() : Tokens.signed(Secret.load(config.secretFile()));
        FunctionConfig.Endpoints endpoints = config.endpoints();
        StoreAccess access = new StoreAccess(
                Hosts.addresses(endpoints.store()), endpoints.tls().map(Tls::of), tokens);
        return withStore(access, store -> untilAnswered(store, what + " at " + endpoints.store(), LIMIT, step));
    }

    /** Retries for a while, because on a busy machine the store's first answers may be late. */
    private static <T> T untilAnswered(
            StoreClient store, String what, Duration patience, Function<MetadataStore, CompletionStage<T>> step) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return await(store.ready().thenCompose(ready -> step.apply(store)), what);
            } catch (FsException e) {
                if (e.code().disposition() == Disposition.FINAL || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

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

    /** Removes the functions of deployments from a number on, which ends their instances in order. */
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

    /** Removes the function of a {@link Training}, which ends its instance in order. */
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
            throw new FsException(
                    ErrorCode.UNAVAILABLE, "cannot read the gateway's management key: " + e.getMessage(), e);
        }
        try (HttpClient http = new HttpClient(Runnable::run, tls(directory, settings))) {
            await(step.apply(new OpenWhiskDeployer(http, gateway, "_", key, true, LIMIT)), what);
        }
    }

    private static ActionSpec spec(ClusterSettings settings, String name, String kind) {
        InstanceSettings instance = settings.instance();
        return ActionSpec.of(
                name,
                ActionExec.ofKind(kind),
                new ActionLimits(RUN_LIMIT_MILLIS, instance.memoryMb(), LOGS_MB, instance.concurrency()));
    }

    private static <T> T await(CompletionStage<T> stage, String what) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            FsException cause = FsException.of(e);
            throw new FsException(cause.code(), "cannot " + what + ": " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new FsException(
                    ErrorCode.TIMED_OUT, "cannot " + what + ": no answer in " + LIMIT.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted: could not " + what, e);
        }
    }
}
