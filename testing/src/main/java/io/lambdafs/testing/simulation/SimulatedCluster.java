package io.lambdafs.testing.simulation;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.direct.DirectChannel;
import io.lambdafs.coordinator.direct.DirectSettings;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.coordinator.relayed.FallbackChannel;
import io.lambdafs.coordinator.relayed.RelayedChannel;
import io.lambdafs.coordinator.session.EpochSession;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.coordinator.store.StoreCoordinator;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.Times;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.platform.local.pool.PoolLimits;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedGateway;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.ConfirmedLeases;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.OlderRows;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Everything but the clients: store, coordinator, gateway with its pool, and the instances that it starts. The context are real, {@link
 * NameNodeAssembly} with its {@link EpochSession} and {@link DirectChannel} and the pool among them; processes, clocks and ways between
 * them are simulated. Not thread-safe.
 */
final class SimulatedCluster implements InstanceLauncher {
    static final int DEPLOYMENTS = 3;
    /** As by default, but that a client gives up sooner: what it gave up may take effect until then, which costs the check. */
    static final Times TIMES = new Times(
            Times.DEFAULT.ackWait(),
            Times.DEFAULT.lease(),
            Times.DEFAULT.drift(),
            Times.DEFAULT.session(),
            Times.DEFAULT.lockWait(),
            Times.DEFAULT.transaction(),
            Times.DEFAULT.attempt(),
            Duration.ofSeconds(20),
            Times.DEFAULT.slotLife());
    /** In a part of the seeds a slot lives hardly longer than its request may be repeated. */
    private static final Duration SHORT_SLOT_LIFE = Duration.ofSeconds(24);

    /**
     * How far a clock's speed may be off, so that a lease measured by a slow clock ends before lease and drift measured by a fast one:
     * (1 + e) / (1 - e) is at most (lease + drift) / lease.
     */
    private static final double CLOCK_ERROR = 0.045;

    private static final PoolLimits POOL = PoolLimits.defaults()
            .withMaxInstances(3)
            .withKeepAlive(Duration.ofSeconds(6))
            .withStopGrace(Duration.ofSeconds(2))
            .withStartConcurrency(4)
            .withPrewarm(0);

    private static final SimulatedGateway.Platform PLATFORM = new SimulatedGateway.Platform(
            POOL, new ActionLimits(10_000, 256, 0, 1), DEPLOYMENTS, SimulatedGateway.Front.NONE);

    private static final long WALL_ERROR_MILLIS = 100;

    /** Of the seeds. */
    private static final double SAME_MACHINE = 0.5;

    private static final double RELAYED = 0.25;
    private static final double ANTI_THRASHING = 0.25;
    private static final double SHORT_LIVED_SLOTS = 0.25;

    private static final double COORDINATED_BY_STORE = 0.25;
    /** Of the instances, where some cache nothing. */
    private static final double CACHELESS = 0.5;

    final Agenda agenda;
    final Conditions conditions = new Conditions();
    final Network network;
    final SimulatedTransport.Wire wire;
    /** Of the store as it is now. */
    SimulatedProcess storeProcess;

    final SimulatedProcess coordinatorProcess;
    /** Where the coordinator sends letters from. */
    final SimulatedProcess postProcess;

    final SimulatedProcess gatewayProcess;
    MemoryStore engine;
    final SimulatedGateway gateway;
    private SimulatedStore.Server store;
    /** The same store, over connections that share the fate of the coordinator's. */
    private final SimulatedStore.Server control;

    private final SimulatedCoordinator.Server coordinator;
    private final Tokens tokens = Tokens.insecure();
    private final List<SimulatedInstance> instances = new ArrayList<>();
    /** Whether instances may conclude from a refused connection that another has gone. */
    private final boolean sameMachine;
    /** Whether INVs and ACKs travel through the coordinator alone. */
    private final boolean relayed;
    /** Whether rows of the store take the coordinator's place. */
    private final boolean coordinatedByStore;

    /** Whether some instances cache nothing. */
    private final boolean mixed;

    /** Whether instances serve within HTTP calls alone, and are paused in between. */
    final boolean paused;

    /** Whether clients take slow operations for a sign of a platform that has no room. */
    final boolean antiThrashing;

    /** How long instances keep a slot after its last answer. */
    final Duration slotLife;

    /** How many instances there have been that cache nothing. */
    int cacheless;

    private int processes;

    /** What instances of a run are like. */
    enum Kind {
        ALIKE,
        /** Some cache nothing. */
        MIXED,
        /** Paused between HTTP calls, by which alone they serve. */
        PAUSED,
        /** Under a coordinator that knows nothing of a store that may come back older. */
        CONFIRMED
    }

    SimulatedCluster(Agenda agenda, SimulatedTransport.Observer observer, Kind kind) {
        this.agenda = agenda;
        this.mixed = kind == Kind.MIXED;
        this.paused = kind == Kind.PAUSED;
        sameMachine = agenda.chance(SAME_MACHINE);
        relayed = agenda.chance(RELAYED) || paused;
        coordinatedByStore = (agenda.chance(COORDINATED_BY_STORE) || paused) && kind != Kind.CONFIRMED;
        antiThrashing = agenda.chance(ANTI_THRASHING);
        slotLife = agenda.chance(SHORT_LIVED_SLOTS) ? SHORT_SLOT_LIFE : TIMES.slotLife();
        network = new Network(agenda);
        wire = new SimulatedTransport.Wire(agenda, network, observer);
        storeProcess = service("store");
        coordinatorProcess = service("coordinator");
        postProcess = service("post");
        gatewayProcess = service("gateway");
        engine = new MemoryStore(storeProcess);
        Formatter.format(engine, DEPLOYMENTS, "root", storeProcess.currentTimeMillis());
        if (kind == Kind.CONFIRMED) {
            engine.begin(0).commit(List.of(new Mutation.Put(ConfirmedLeases.ROW)), Long.MAX_VALUE);
        }
        store = new SimulatedStore.Server(engine, storeProcess, this);
        control = new SimulatedStore.Server(engine, coordinatorProcess, this);
        MemoryEnsemble ensemble = new MemoryEnsemble(coordinatorProcess, TIMES.session());
        coordinator =
                new SimulatedCoordinator.Server(ensemble, coordinatorProcess, postProcess, network, agenda, conditions);
        gateway = new SimulatedGateway(gatewayProcess, wire, this, PLATFORM);
    }

    /** The wall clock at a moment, where it is behind as far as any. */
    static long earliestMillis(long nanos) {
        return Agenda.ORIGIN_MILLIS + (nanos - Agenda.ORIGIN) / 1_000_000 - WALL_ERROR_MILLIS;
    }

    /** Has somebody told each commit that the store makes from now on. */
    void watch(Runnable watcher) {
        store.watch(watcher);
    }

    /**
     * The store is killed, and another one serves what was once there, as a server does that finds that (PROTOCOL: D6, D7).
     *
     * @param rows all of an earlier moment
     * @param watcher told each commit that the new one makes
     * @return when it answers
     */
    long comeBackOlder(List<Row> rows, Runnable watcher) {
        store.kill();
        storeProcess = service("store");
        engine = new MemoryStore(storeProcess);
        List<Mutation> all = new ArrayList<>();
        rows.forEach(each -> all.add(new Mutation.Put(each)));
        engine.begin(0).commit(all, Long.MAX_VALUE);
        List<Key> epochs = rows.stream()
                .map(Row::key)
                .filter(each ->
                        each.table().equals(Schema.INSTANCES) || each.table().equals(Schema.EPOCHS))
                .toList();
        List<Row> sequences = rows.stream()
                .filter(each -> each.key().table().equals(Schema.SEQUENCES))
                .toList();
        engine.begin(0).commit(OlderRows.ended(epochs, sequences), Long.MAX_VALUE);
        store = new SimulatedStore.Server(engine, storeProcess, this);
        store.watch(watcher);
        storeProcess.freeze();
        agenda.after(Database.LEASE_OVER.toNanos(), storeProcess::thaw);
        return agenda.now() + Database.LEASE_OVER.toNanos();
    }

    private SimulatedProcess service(String name) {
        return new SimulatedProcess(agenda, processes++, name, SimulatedProcess.ClockError.NONE);
    }

    /** A new process with a clock of its own. */
    SimulatedProcess process(String name) {
        double rate = 1 - CLOCK_ERROR + 2 * CLOCK_ERROR * agenda.random().nextDouble();
        long offset = agenda.within(2 * WALL_ERROR_MILLIS) - WALL_ERROR_MILLIS;
        return new SimulatedProcess(agenda, processes++, name, new SimulatedProcess.ClockError(rate, offset));
    }

    /** The instances whose process lives. */
    List<SimulatedInstance> instances() {
        instances.removeIf(instance -> instance.process().isDead());
        return instances;
    }

    @Override
    public Set<String> kinds() {
        return Set.of("simulated");
    }

    @Override
    public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
        CompletableFuture<RunningInstance> started = new CompletableFuture<>();
        boolean fails = agenda.chance(conditions.startFailure);
        long cold = 20_000_000L + agenda.within(conditions.coldStartNanos);
        agenda.after(
                cold,
                () -> gatewayProcess.message(() -> {
                    if (fails) {
                        started.completeExceptionally(new IllegalStateException("no machine had room"));
                        return;
                    }
                    SimulatedTransport transport = new SimulatedTransport(wire, process(instanceId));
                    SimulatedInstance instance =
                            new SimulatedInstance(instanceId, transport, gateway, this::nameNode, paused);
                    instances.add(instance);
                    started.complete(instance);
                }));
        return started;
    }

    private NameNodeAssembly nameNode(SimulatedInstance inside, int deployment) {
        SimulatedProcess process = inside.process();
        SimulatedTransport transport = inside.transport();
        SimulatedStore ownStore = new SimulatedStore(() -> store, process);
        Coordinator ownCoordinator = coordinatedByStore
                ? new StoreCoordinator(new SimulatedStore(() -> control, process), process, TIMES)
                : new SimulatedCoordinator(coordinator, process);
        InvalidationChannel relay = new RelayedChannel(inside.id(), ownCoordinator.mailboxes(), process);
        InvalidationChannel channel = relayed
                ? new ObservedRelay(relay, process, wire.observer())
                : new FallbackChannel(direct(inside, transport), relay, process);
        NameNodeAssembly.Context context = new NameNodeAssembly.Context(
                ownStore,
                new SessionContext(ownCoordinator, channel, ownStore, process, TIMES),
                kind -> transport,
                tokens,
                BlockTokens.of(null, () -> Instant.ofEpochMilli(process.currentTimeMillis())),
                process,
                () -> 0);
        boolean caches = !mixed || !agenda.chance(CACHELESS);
        cacheless += caches ? 0 : 1;
        return NameNodeAssembly.start(
                SimulatedInstance.config(DEPLOYMENTS, TIMES.withSlotLife(slotLife), caches),
                new InstanceIdentity(deployment, inside.id()),
                context);
    }

    private DirectChannel direct(SimulatedInstance inside, SimulatedTransport transport) {
        return new DirectChannel(
                transport,
                transport,
                tokens,
                inside.process(),
                new DirectSettings(SimulatedTransport.HOST, SimulatedTransport.HOST, 0, sameMachine, inside.id()));
    }

    /** Thaws and heals everything. */
    void calm() {
        conditions.calm();
        network.heal();
        List.of(storeProcess, coordinatorProcess, gatewayProcess).forEach(SimulatedProcess::thaw);
        instances().forEach(instance -> instance.process().thaw());
    }

    @Override
    public void close() {
        instances().forEach(SimulatedInstance::kill);
    }
}
