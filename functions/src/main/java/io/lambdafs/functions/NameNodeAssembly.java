package io.lambdafs.functions;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.coordinator.SessionListener;
import io.lambdafs.coordinator.session.EpochSession;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.metrics.FunctionMetrics;
import io.lambdafs.functions.metrics.OperationStatistics;
import io.lambdafs.functions.metrics.SlowOperations;
import io.lambdafs.functions.namenode.NameNodeContext;
import io.lambdafs.functions.namenode.NameNodeSettings;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.functions.serving.BillingMeter;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.CpuShare;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.functions.serving.RequestGate;
import io.lambdafs.functions.serving.SlowOperation;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.transports.TransportKind;
import io.lambdafs.store.MetadataStore;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires an instance of the function: NameNode, cache, session and request gate. Thread-safe. */
public final class NameNodeAssembly implements FunctionInstance {
    private static final Logger log = LoggerFactory.getLogger(NameNodeAssembly.class);
    /** How long a leaving instance waits for operations in flight; after that, clients retry elsewhere. */
    private static final long DRAIN_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /**
     * The dependencies of an instance, which it does not own.
     *
     * @param session for this instance only, with a scheduler and a store connection of its own, so that leases and
     *     ACKs do not wait behind requests
     * @param transports for connections to clients, one of each kind a client may use
     * @param usedCpuNanos CPU time of the serving threads, charged against the CPU share
     * @param steadiness of this process's code so far
     */
    public record Context(
            MetadataStore store,
            SessionContext session,
            Function<TransportKind, Transport> transports,
            Tokens tokens,
            BlockTokens blockTokens,
            Scheduler scheduler,
            LongSupplier usedCpuNanos,
            DirectStores directStores,
            Steadiness steadiness) {
        /** A context in which all block I/O goes through datanodes. */
        public Context(
                MetadataStore store,
                SessionContext session,
                Function<TransportKind, Transport> transports,
                Tokens tokens,
                BlockTokens blockTokens,
                Scheduler scheduler,
                LongSupplier usedCpuNanos) {
            this(
                    store,
                    session,
                    transports,
                    tokens,
                    blockTokens,
                    scheduler,
                    usedCpuNanos,
                    DirectStores.none(scheduler),
                    new Steadiness());
        }
    }

    private final int deployment;
    private final Scheduler scheduler;
    private final NameNode nameNode;
    private final RequestGate gate;
    private final BillingMeter meter;
    private final ClientConnections clients;
    private final FunctionMetrics metrics;
    private final SlowOperations slowest;
    private final CompletionStage<Void> joined;
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    private NameNodeAssembly(FunctionConfig config, InstanceIdentity self, Context context) {
        deployment = self.deployment();
        scheduler = context.scheduler();
        PathTrie trie =
                new PathTrie(new CacheLimits(config.limits().cacheBytes(), CacheLimits.DEFAULT.invalidationLog()));
        InFlight inFlight = new InFlight(config.limits().maxInFlight());
        OperationStatistics statistics = new OperationStatistics(scheduler::currentTimeMillis);
        nameNode = new NameNode(new NameNodeContext(
                deployment,
                settings(config),
                context.store(),
                trie,
                inFlight,
                scheduler,
                listener -> session(self, context.session(), listener),
                statistics,
                context.blockTokens(),
                context.directStores()));
        meter = new BillingMeter(scheduler);
        CpuShare cpu = new CpuShare(
                config.limits().cpuShare(),
                context.usedCpuNanos(),
                scheduler,
                TimeUnit.MILLISECONDS.toNanos(config.limits().boostMillis()),
                context.steadiness());
        gate = new RequestGate(new RequestGate.Answerer(deployment, nameNode::epoch, nameNode), cpu, meter);
        clients = new ClientConnections(
                context.transports(),
                context.tokens(),
                new ClientConnections.Self(deployment, self.instance(), nameNode::epoch),
                gate,
                scheduler,
                config.endpoints().clientRanges());
        slowest = statistics.slowest();
        metrics = new FunctionMetrics(
                new FunctionMetrics.Sources(statistics, trie, inFlight, gate, meter, clients), deployment);
        joined = nameNode.start().thenAccept(epoch -> {});
    }

    /**
     * Starts an instance; its join continues in the background, and fails while the file system has fewer deployments.
     *
     * @throws FsException {@code INVALID_ARGUMENT}: the deployment number exceeds the maximum
     */
    public static NameNodeAssembly start(FunctionConfig config, InstanceIdentity self, Context context) {
        if (self.deployment() < 0 || self.deployment() >= Placement.MAX_DEPLOYMENTS) {
            throw FsException.invalidArgument("there is no deployment " + self.deployment()
                    + ": their numbers are 0 to " + (Placement.MAX_DEPLOYMENTS - 1));
        }
        NameNodeAssembly assembly = new NameNodeAssembly(config, self, context);
        assembly.joined.whenComplete((done, failure) -> {
            if (failure != null) {
                log.warn(
                        "The first attempt to join failed: {}",
                        FsException.of(failure).getMessage());
            }
        });
        return assembly;
    }

    private static NameNodeSettings settings(FunctionConfig config) {
        NameNodeSettings defaults = NameNodeSettings.defaults(config.superuser());
        return new NameNodeSettings(
                config.superuser(),
                config.times(),
                config.limits().smallFileLimitBytes(),
                defaults.maxCachedListing(),
                new NameNodeSettings.Reclaim(
                        config.limits().reclaimBatch(), config.limits().reclaimParallel()),
                config.limits().changeLogEntries(),
                new NameNodeSettings.Trash(Duration.ofMinutes(config.limits().trashMinutes()), ZoneId.systemDefault()));
    }

    private static InstanceSession session(InstanceIdentity self, SessionContext context, SessionListener listener) {
        EpochSession session = new EpochSession(self, context);
        session.attach(listener);
        return session;
    }

    @Override
    public int deployment() {
        return deployment;
    }

    @Override
    public long epoch() {
        return nameNode.epoch();
    }

    @Override
    public Optional<String> outage() {
        return nameNode.outage();
    }

    @Override
    public RequestGate gate() {
        return gate;
    }

    @Override
    public ClientConnections clients() {
        return clients;
    }

    @Override
    public CompletionStage<Void> joined() {
        return joined;
    }

    @Override
    public long billedMillis() {
        return meter.billedMillis();
    }

    @Override
    public String metrics() {
        return metrics.page();
    }

    @Override
    public CompletionStage<Void> suspend() {
        gate.close();
        CompletableFuture<Void> suspended = new CompletableFuture<>();
        Stages.copy(
                drained().thenCompose(done -> {
                    clients.close();
                    return nameNode.suspend();
                }),
                suspended);
        return suspended;
    }

    @Override
    public CompletionStage<Void> resume(boolean dials) {
        gate.open();
        if (dials) {
            clients.open();
        } else {
            clients.close();
        }
        return nameNode.resume().thenAccept(epoch -> {});
    }

    @Override
    public int companions() {
        return nameNode.companions();
    }

    @Override
    public List<SlowOperation> slowest() {
        return slowest.list();
    }

    @Override
    public CompletionStage<Void> leave() {
        if (leaving.compareAndSet(false, true)) {
            gate.close();
            drained()
                    .thenCompose(done -> {
                        clients.close();
                        return nameNode.leave();
                    })
                    .whenComplete(this::hasLeft);
        }
        return left.minimalCompletionStage();
    }

    /** Completes when operations in flight have ended or the drain limit has passed. */
    private CompletionStage<Void> drained() {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        Scheduler.Timer limit = scheduler.schedule(DRAIN_LIMIT_NANOS, () -> {
            if (drained.complete(null)) {
                log.warn("The instance leaves with {} requests under way", gate.underWay());
            }
        });
        gate.drained().thenRun(() -> {
            limit.cancel();
            drained.complete(null);
        });
        return drained;
    }

    private void hasLeft(@Nullable Void done, @Nullable Throwable failure) {
        nameNode.close();
        if (failure == null) {
            left.complete(null);
        } else {
            left.completeExceptionally(FsException.of(failure));
        }
    }
}
