package io.lambdafs.client.runtime;

import io.lambdafs.client.block.BlockTransfer;
import io.lambdafs.client.block.DatanodeTransfer;
import io.lambdafs.client.block.direct.DirectTransfer;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.client.http.Invokers;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.rpc.transports.TransportKind;
import io.lambdafs.rpc.transports.Transports;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The resources shared by the clients of a process: event loops, clock, threads, randomness, HTTP client, and the
 * connections to each cluster. By default there is one per process, created for the first client and closed after the
 * last. Thread-safe.
 */
public final class ClientRuntime {
    private static final Object PROCESS_LOCK = new Object();
    private static final int POOL_THREADS = 2;
    private static final int POOL_QUEUE = 65_536;
    /**
     * Maximum requests in flight per connection. More would only queue in the instance ahead of invalidations that it
     * must acknowledge in time; excess requests go by HTTP or wait here.
     */
    private static final int PER_CONNECTION = 512;

    private static @Nullable ClientRuntime process;

    /**
     * The dependencies of a runtime.
     *
     * @param transports one of each kind used by clients
     * @param secrets a cryptographic source of randomness, for session ids and one-time secrets
     */
    public record Context(
            Scheduler scheduler, Function<TransportKind, Transport> transports, RandomGenerator secrets) {}

    private final Context context;
    private final Runnable stop;
    private final Codec codec = RpcMessages.codec();
    private final Map<ClusterConnections.Key, ClusterConnections> clusters = new HashMap<>();
    /** Links by CA; the key is empty without TLS. */
    private final Map<Optional<Path>, Links> links = new HashMap<>();

    private int clients;

    /** The resources shared by clients with the same CA, created on first use. */
    private static final class Links {
        final Optional<Tls> tls;

        @Nullable
        HttpClient http;

        @Nullable
        BlockTransfer blocks;

        Links(Optional<Tls> tls) {
            this.tls = tls;
        }
    }

    private ClientRuntime(Context context, Runnable stop) {
        this.context = context;
        this.stop = stop;
    }

    /** Returns a runtime on a context that the caller owns and closes. */
    public static ClientRuntime of(Context context) {
        return new ClientRuntime(context, () -> {});
    }

    /** Returns the process's reference-counted runtime, to be {@link #release released}. */
    public static ClientRuntime process() {
        synchronized (PROCESS_LOCK) {
            ClientRuntime shared = process;
            if (shared == null) {
                shared = start();
                process = shared;
            }
            return shared.retained();
        }
    }

    private static ClientRuntime start() {
        SystemScheduler scheduler = new SystemScheduler("lambdafs-client", POOL_THREADS, POOL_QUEUE);
        int loops = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
        TransportLimits limits = TransportLimits.DEFAULT.withMaxInFlightPerConnection(PER_CONNECTION);
        Transports transports =
                new Transports(kind -> kind.create(BlockMessages.codec(), loops, "lambdafs-client-io", limits));
        return new ClientRuntime(new Context(scheduler, transports::of, new SecureRandom()), () -> {
            transports.close();
            scheduler.close();
        });
    }

    public Context context() {
        return context;
    }

    public ClientRuntime retained() {
        synchronized (PROCESS_LOCK) {
            clients++;
        }
        return this;
    }

    /** Releases the runtime; the last client closes the resources the runtime opened. */
    public void release() {
        synchronized (PROCESS_LOCK) {
            clients--;
            if (clients > 0) {
                return;
            }
            if (process == this) {
                process = null;
            }
        }
        closeConnections();
        stop.run();
    }

    /**
     * Returns the connections shared by a cluster's clients in this process. Kept as long as the runtime: a few small
     * tables per cluster.
     */
    public ClusterConnections cluster(ClientConfig config) {
        synchronized (clusters) {
            return clusters.computeIfAbsent(
                    ClusterConnections.Key.of(config),
                    key -> new ClusterConnections(key, context, links(key.tlsCa()).tls));
        }
    }

    public Invoker httpInvoker(ClientConfig config) {
        return Invokers.open(config, () -> http(config.tlsCa()), codec, context.scheduler());
    }

    /** Loads a CA file unless already loaded; fails if it is unusable. Called under the lock on clusters. */
    private Links links(@Nullable Path tlsCa) {
        return links.computeIfAbsent(
                Optional.ofNullable(tlsCa),
                ca -> new Links(ca.map(TlsFiles::ofUser).map(Tls::of)));
    }

    private HttpClient http(@Nullable Path tlsCa) {
        synchronized (clusters) {
            Links shared = links(tlsCa);
            HttpClient client = shared.http;
            if (client == null) {
                client = new HttpClient(context.scheduler(), shared.tls);
                shared.http = client;
            }
            return client;
        }
    }

    /** Returns the block transfer shared by clients with the same CA, always on Netty. */
    public BlockTransfer blocks(ClientConfig config) {
        synchronized (clusters) {
            Links shared = links(config.tlsCa());
            BlockTransfer transfer = shared.blocks;
            if (transfer == null) {
                Transport netty = context.transports().apply(TransportKind.NETTY);
                DatanodeTransfer datanodes = new DatanodeTransfer(
                        shared.tls
                                .map(files -> netty.secured(files, TlsPeers.USERS))
                                .orElse(netty),
                        context.scheduler());
                transfer = new DirectTransfer(new ObjectClient(context.scheduler(), ObjectClient.SILENCE), datanodes);
                shared.blocks = transfer;
            }
            return transfer;
        }
    }

    private void closeConnections() {
        List<Links> open;
        synchronized (clusters) {
            open = List.copyOf(links.values());
            links.clear();
        }
        for (Links each : open) {
            if (each.http != null) {
                each.http.close();
            }
            if (each.blocks != null) {
                each.blocks.close();
            }
        }
    }
}
