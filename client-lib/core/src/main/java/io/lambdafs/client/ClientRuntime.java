package io.lambdafs.client;

import io.lambdafs.client.block.BlockTransfer;
import io.lambdafs.client.block.DatanodeTransfer;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.transports.TransportKind;
import io.lambdafs.rpc.transports.Transports;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a process run on: event loops, clock, threads, randomness, HTTP client, and what they share of each cluster.
 * A process has one by default, made for its first client and closed after its last. Thread-safe.
 */
public final class ClientRuntime {
    private static final Object PROCESS_LOCK = new Object();
    private static final int POOL_THREADS = 2;
    private static final int POOL_QUEUE = 65_536;
    /**
     * Requests in flight on one connection. More would only wait in the instance, in front of the invalidations that it must
     * acknowledge in time; what exceeds it goes by HTTP, or waits here.
     */
    private static final int PER_CONNECTION = 512;

    private static @Nullable ClientRuntime process;

    /**
     * What a runtime is made of.
     *
     * @param transports one of each kind that a client is configured with
     * @param secrets a cryptographic source of randomness, for session ids and one-time secrets
     */
    public record Context(
            Scheduler scheduler, Function<TransportKind, Transport> transports, RandomGenerator secrets) {}

    private final Context context;
    private final Runnable stop;
    private final Codec codec = RpcMessages.codec();
    private final Map<ClusterConnections.Key, ClusterConnections> clusters = new HashMap<>();
    private @Nullable HttpClient http;
    private @Nullable BlockTransfer blocks;
    private int clients;

    private ClientRuntime(Context context, Runnable stop) {
        this.context = context;
        this.stop = stop;
    }

    /** A runtime of context that the caller owns and closes. */
    public static ClientRuntime of(Context context) {
        return new ClientRuntime(context, () -> {});
    }

    /** The process's own, counted: {@link #release} it. */
    static ClientRuntime process() {
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

    Context context() {
        return context;
    }

    ClientRuntime retained() {
        synchronized (PROCESS_LOCK) {
            clients++;
        }
        return this;
    }

    /** One client less; the last one closes what this runtime has opened itself. */
    void release() {
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

    /** What the clients of a cluster share in this process. Kept while the runtime lives: a few small tables per cluster. */
    ClusterConnections cluster(ClientConfig config) {
        synchronized (clusters) {
            return clusters.computeIfAbsent(
                    ClusterConnections.Key.of(config), key -> new ClusterConnections(key, context));
        }
    }

    Invoker httpInvoker(ClientConfig config) {
        return new HttpInvoker(config, this::http, codec);
    }

    private HttpClient http() {
        synchronized (clusters) {
            HttpClient client = http;
            if (client == null) {
                client = new HttpClient(context.scheduler());
                http = client;
            }
            return client;
        }
    }

    /** Writes and reads blocks for all clients of this runtime, by Netty whatever else they speak. */
    BlockTransfer blocks() {
        synchronized (clusters) {
            BlockTransfer transfer = blocks;
            if (transfer == null) {
                transfer = new DatanodeTransfer(context.transports().apply(TransportKind.NETTY), context.scheduler());
                blocks = transfer;
            }
            return transfer;
        }
    }

    private void closeConnections() {
        HttpClient client;
        BlockTransfer transfer;
        synchronized (clusters) {
            client = http;
            http = null;
            transfer = blocks;
            blocks = null;
        }
        if (client != null) {
            client.close();
        }
        if (transfer != null) {
            transfer.close();
        }
    }
}
