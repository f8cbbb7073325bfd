package io.lambdafs.functions.instance;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.direct.CoordinatorMessages;
import io.lambdafs.coordinator.direct.DirectChannel;
import io.lambdafs.coordinator.direct.DirectSettings;
import io.lambdafs.coordinator.relayed.FallbackChannel;
import io.lambdafs.coordinator.relayed.RelayedChannel;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.coordinator.store.StoreCoordinator;
import io.lambdafs.coordinator.zookeeper.ZooKeeperCoordinator;
import io.lambdafs.coordinator.zookeeper.ZooKeeperSettings;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.functions.serving.ServingThreads;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.objects.ObjectSigners;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.rpc.transports.TransportKind;
import io.lambdafs.rpc.transports.Transports;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An instance's connections to other processes: the store server, ZooKeeper, other instances, clients. Connecting
 * starts at once in the background, so that a prewarmed instance is connected before it is needed. Thread-safe.
 */
final class InstanceRuntime implements AutoCloseable {
    private static final Principal SERVICE = new Principal("lambdafs", List.of(Principal.SUPERGROUP));
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
    private static final int TASK_QUEUE = 65_536;
    private static final String LOOPS = "loop";
    private static final String WORKERS = "worker";
    /** Longer than an invalidation round on an idle machine. */
    private static final Duration LOOKOUT = Duration.ofNanos(200_000);

    /** A share that is measured, and never used up. */
    private static final double UNRATIONED = 1_024;

    private static final String PEER_LOOP = "peers";
    private static final String CONTROL = "control";
    private static final String HTTP_LOOPS = "http";

    private final FunctionConfig config;
    private final @Nullable Secret secret;
    private final Optional<Tls> tls;
    private final Tokens tokens;
    private final Codec codec;
    private final SystemScheduler scheduler;
    /** Scheduler of the session, the coordinator and the channel between instances. */
    private final SystemScheduler control;

    private final CompletableFuture<Connected> connected;
    private final Map<String, String> variables;
    /** The rehearsal's result. */
    private final Steadiness steadiness;

    /** The components with threads and connections. */
    private record Connected(
            Transports transports, Transports peers, SharedServices shared, LongSupplier usedCpuNanos) {}

    /**
     * The services that instances share.
     *
     * @param controlStore the store, by a connection that requests do not delay
     */
    record SharedServices(MetadataStore store, MetadataStore controlStore, Coordinator coordinator) {}

    /** Starts connecting; fails with the error in the secret or the TLS files. */
    InstanceRuntime(FunctionConfig config) {
        this(config, System.getenv(), new Steadiness());
    }

    /**
     * @param variables environment with the credentials of object stores
     * @param steadiness of this process's code so far
     */
    InstanceRuntime(FunctionConfig config, Map<String, String> variables, Steadiness steadiness) {
        this.config = config;
        this.variables = variables;
        this.steadiness = steadiness;
        secret = config.secretFile() == null ? null : Secret.load(config.secretFile());
        tls = config.endpoints().tls().map(Tls::of);
        tokens = config.insecure() || secret == null ? Tokens.insecure() : Tokens.signed(secret);
        Codec.Builder messages = RpcMessages.register(Codec.builder());
        codec = StoreMessages.register(CoordinatorMessages.register(messages)).build();
        scheduler = new SystemScheduler(WORKERS, config.limits().workers(), TASK_QUEUE);
        control = new SystemScheduler(CONTROL, 2, TASK_QUEUE);
        connected = CompletableFuture.supplyAsync(this::connect, scheduler);
    }

    private Connected connect() {
        Transports transports =
                new Transports(kind -> kind.create(codec, config.limits().eventLoops(), LOOPS, limits()));
        // ACKs must not wait behind a burst of requests, or the instance would be fenced for being busy.
        Transports peers = new Transports(kind -> kind.create(codec, 1, PEER_LOOP, TransportLimits.DEFAULT));
        MetadataStore store = store(transports.of(TransportKind.NETTY), scheduler);
        // Nor must a renewal or a fence.
        MetadataStore controlStore = store(peers.of(TransportKind.NETTY), control);
        SharedServices shared = new SharedServices(store, controlStore, coordinator(controlStore));
        rehearse();
        return new Connected(transports, peers, shared, usedCpuNanos());
    }

    private Transport secured(Transport transport, TlsPeers peers) {
        return tls.map(files -> transport.secured(files, peers)).orElse(transport);
    }

    /** An instance polls for ACKs only if its CPU is not rationed. */
    private TransportLimits limits() {
        return config.limits().cpuShare() == 0 ? TransportLimits.DEFAULT.withLookout(LOOKOUT) : TransportLimits.DEFAULT;
    }

    private MetadataStore store(Transport by, Scheduler timers) {
        FunctionConfig.Endpoints endpoints = config.endpoints();
        Transport distant =
                secured(by, TlsPeers.SERVICES).distant(config.distance().store());
        return StoreClient.connect(distant, timers, Hosts.addresses(endpoints.store()), tokens)
                .outlasting(config.times().transaction());
    }

    private Coordinator coordinator(MetadataStore controlStore) {
        return switch (config.coordination().keeper()) {
            case STORE -> new StoreCoordinator(controlStore, control, config.times());
            case ZOOKEEPER ->
                new ZooKeeperCoordinator(
                        new ZooKeeperSettings(
                                config.coordination().zookeeper(),
                                config.fileSystem(),
                                secret,
                                config.coordination().zookeeperProof(),
                                config.times()),
                        control);
        };
    }

    /** CPU time is measured only if rationed. */
    private LongSupplier usedCpuNanos() {
        return config.limits().cpuShare() == 0 ? () -> 0 : new ServingThreads(List.of(LOOPS, WORKERS, HTTP_LOOPS));
    }

    /** Exercises the code of a request once, so that the first request does not wait for class loading. */
    private void rehearse() {
        tokens.verify(tokens.mint(SERVICE, Role.CLIENT, TOKEN_LIFE));
        WireWriter out = new WireWriter();
        RequestId id = new RequestId(0, 0, 0, 0);
        codec.write(out, new OperationRequest(0, id, 1, 0, new ReadOperation.Stat(FsPath.of("/rehearsal"))));
        codec.read(new WireReader(out.toByteArray()));
    }

    ActionMain.Listening listening() {
        return new ActionMain.Listening(config.endpoints().listenHost(), tls);
    }

    Tokens tokens() {
        return tokens;
    }

    Codec codec() {
        return codec;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Starts the instance; blocks until its components are created. */
    FunctionInstance start(int deployment, String instance) {
        Connected links = connected.join();
        InstanceIdentity self = new InstanceIdentity(deployment, instance);
        return assemble(config, self, links, links.shared(), channel(self, links, links.shared()));
    }

    /**
     * Rehearses the steps after {@code /init} on its own thread, once everything is connected; completes at the end, with
     * whether every step was done.
     *
     * @param own this process's server
     * @param isWanted false once there is real work to do
     */
    CompletableFuture<Boolean> rehearse(Rehearsal.OwnServer own, BooleanSupplier isWanted) {
        return rehearseWith(own, isWanted);
    }

    /** Rehearses without a server. */
    CompletableFuture<Boolean> rehearseAlone(BooleanSupplier isWanted) {
        return rehearseWith(null, isWanted);
    }

    /** Returns how far the rehearsal has come. */
    Steadiness steadiness() {
        return steadiness;
    }

    private CompletableFuture<Boolean> rehearseWith(Rehearsal.@Nullable OwnServer own, BooleanSupplier isWanted) {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        connected.whenComplete((links, failure) -> {
            if (failure != null) {
                ended.completeExceptionally(failure);
                return;
            }
            Thread thread = new Thread(
                    () -> {
                        boolean isWhole = false;
                        try (Rehearsal rehearsal = new Rehearsal(config, new Stage(links), isWanted)) {
                            isWhole = rehearsal.run(links.shared(), own);
                        } finally {
                            ended.complete(isWhole);
                        }
                    },
                    "rehearsal");
            thread.setDaemon(true);
            thread.start();
        });
        return ended;
    }

    /** The environment of a rehearsal. */
    final class Stage {
        private final Connected links;

        private Stage(Connected links) {
            this.links = links;
        }

        Tokens tokens() {
            return tokens;
        }

        String token() {
            return tokens.mint(SERVICE, Role.CLIENT, TOKEN_LIFE);
        }

        Codec codec() {
            return codec;
        }

        /** Returns a transport for connections to clients. */
        Transport transport() {
            return secured(links.transports().of(TransportKind.NETTY), TlsPeers.INSTANCE_TO_USER);
        }

        Scheduler scheduler() {
            return scheduler;
        }

        Scheduler control() {
            return control;
        }

        Steadiness steadiness() {
            return steadiness;
        }

        InvalidationChannel channel(InstanceIdentity self, SharedServices shared) {
            return InstanceRuntime.this.channel(self, links, shared);
        }

        FunctionInstance assemble(InstanceIdentity self, SharedServices shared, InvalidationChannel channel) {
            // A rehearsal may take more than the instance's share.
            return InstanceRuntime.this.assemble(config.withCpuShare(UNRATIONED), self, links, shared, channel);
        }
    }

    private FunctionInstance assemble(
            FunctionConfig limited,
            InstanceIdentity self,
            Connected links,
            SharedServices shared,
            InvalidationChannel channel) {
        return NameNodeAssembly.start(
                limited,
                self,
                new NameNodeAssembly.Context(
                        shared.store(),
                        new SessionContext(
                                shared.coordinator(), channel, shared.controlStore(), control, config.times()),
                        kind -> secured(links.transports().of(kind), TlsPeers.INSTANCE_TO_USER),
                        tokens,
                        BlockTokens.of(config.insecure() ? null : secret, InstantSource.system()),
                        scheduler,
                        links.usedCpuNanos(),
                        directStores(),
                        steadiness.anew()));
    }

    private DirectStores directStores() {
        FunctionConfig.Direct direct = config.direct();
        return new DirectStores(
                ObjectSigners.of(direct.stores(), direct.endpoint(), direct.encryption(), variables), scheduler);
    }

    private InvalidationChannel channel(InstanceIdentity self, Connected links, SharedServices shared) {
        InvalidationChannel relayed =
                new RelayedChannel(self.instance(), shared.coordinator().mailboxes(), control);
        FunctionConfig.Endpoints endpoints = config.endpoints();
        return switch (config.coordination().inv()) {
            case RELAYED -> relayed;
            case DIRECT ->
                new FallbackChannel(
                        new DirectChannel(
                                secured(links.peers().of(config.coordination().transport()), TlsPeers.INSTANCES),
                                // A round starts and ends on the event loop of its write.
                                secured(
                                                links.transports()
                                                        .of(config.coordination()
                                                                .transport()),
                                                TlsPeers.INSTANCES)
                                        .distant(config.distance().coordination()),
                                tokens,
                                control,
                                new DirectSettings(
                                        endpoints.listenHost(),
                                        endpoints.advertisedHost(),
                                        0,
                                        endpoints.sameMachine(),
                                        self.instance())),
                        relayed,
                        control);
        };
    }

    /** Returns the number of this process's transactions that may hold locks in the store. */
    int openTransactions() {
        if (!connected.isDone() || connected.isCompletedExceptionally()) {
            return 0;
        }
        SharedServices shared = connected.join().shared();
        int open = 0;
        for (MetadataStore each : List.of(shared.store(), shared.controlStore())) {
            open += each instanceof StoreClient client ? client.openTransactions() : 0;
        }
        return open;
    }

    /** Ends all connections and threads. */
    @Override
    public void close() {
        connected.thenAccept(links -> {
            links.shared().coordinator().close();
            links.shared().store().close();
            links.shared().controlStore().close();
            links.transports().close();
            links.peers().close();
        });
        control.close();
        scheduler.close();
    }
}
