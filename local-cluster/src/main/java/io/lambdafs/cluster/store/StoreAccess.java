package io.lambdafs.cluster.store;

import io.lambdafs.cluster.secure.Certificates;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.Leeway;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The addresses of a cluster's store servers, and a command's credentials for them. Connects for each action.
 * Immutable.
 *
 * @param addresses of the store servers, one of which is active
 * @param tokens by the cluster's secret
 */
public record StoreAccess(List<InetSocketAddress> addresses, Optional<Tls> tls, Tokens tokens)
        implements Resizing.Store {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** Time for a store server to take its first connections. */
    private static final Duration STARTING = Duration.ofSeconds(5);

    private static final long PAUSE_MILLIS = 100;

    /** Time for one of several store servers to take over, or to create the tables. */
    private static final Duration TAKING_OVER = Duration.ofSeconds(60);

    public StoreAccess {
        addresses = List.copyOf(addresses);
    }

    /** Returns access to the store of a cluster that was started here. */
    public static StoreAccess of(ClusterDirectory directory, ClusterSettings settings, List<Integer> ports) {
        return new StoreAccess(
                ports.stream()
                        .map(port -> new InetSocketAddress(Hosts.loopback(), port))
                        .toList(),
                Certificates.files(directory, settings, Certificates.Role.OPERATOR)
                        .map(Tls::of),
                settings.insecure() ? Tokens.insecure() : Tokens.signed(Secret.load(directory.secret())));
    }

    /** Returns access to the store in a function's configuration. */
    public static StoreAccess of(FunctionConfig config) {
        FunctionConfig.Endpoints endpoints = config.endpoints();
        return new StoreAccess(
                Hosts.addresses(endpoints.store()),
                endpoints.tls().map(Tls::of),
                config.secretFile() == null ? Tokens.insecure() : Tokens.signed(Secret.load(config.secretFile())));
    }

    /** Runs an action with a connection to the store. */
    public <T> T with(Function<? super StoreClient, T> step) {
        try (SystemScheduler scheduler = new SystemScheduler("store", 1, 64);
                NettyTransport transport =
                        new NettyTransport(StoreMessages.codec(), 1, "store-io", TransportLimits.DEFAULT);
                StoreClient store = StoreClient.connect(
                        tls.map(files -> transport.secured(files, TlsPeers.SERVICES))
                                .orElse(transport),
                        scheduler,
                        addresses,
                        tokens)) {
            return step.apply(store);
        }
    }

    /**
     * Runs an idempotent action, and repeats it for a while: on a busy machine the store's first answers may be late.
     */
    @Override
    public <T> T ask(String what, Function<MetadataStore, CompletionStage<T>> step) {
        long patience = (addresses.size() > 1 ? TAKING_OVER : Leeway.of(STARTING)).toNanos();
        return with(store -> {
            long deadline = System.nanoTime() + patience;
            while (true) {
                try {
                    return await(store.ready().thenCompose(ready -> step.apply(store)), what + " at " + where());
                } catch (FsException e) {
                    if (e.code().disposition() == Disposition.FINAL || System.nanoTime() - deadline > 0) {
                        throw e;
                    }
                    pause(what);
                }
            }
        });
    }

    private static void pause(String what) {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    private static FsException interrupted(String what, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new FsException(ErrorCode.INTERRUPTED, "interrupted: could not " + what, e);
    }

    /** Returns the addresses as text. */
    public String where() {
        return String.join(
                ",",
                addresses.stream()
                        .map(each -> Hosts.withPort(each.getHostString(), each.getPort()))
                        .toList());
    }

    /** Waits for an answer for a limited time. */
    public static <T> T await(CompletionStage<T> stage, String what) {
        Duration limit = Leeway.of(LIMIT);
        try {
            return stage.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            FsException cause = FsException.of(e);
            throw new FsException(cause.code(), "cannot " + what + ": " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new FsException(
                    ErrorCode.TIMED_OUT,
                    "cannot " + what + ": it did not answer within " + limit.toSeconds() + " s",
                    e);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }
}
