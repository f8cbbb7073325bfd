package io.lambdafs.testing.simulation.cluster;

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
import io.lambdafs.model.time.Times;
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
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.OlderRows;
import io.lambdafs.store.instance.ConfirmedLeases;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A simulated cluster without clients: store, coordinator, gateway with its pool, and the instances it starts. Its
 * components are real, {@link NameNodeAssembly} with its {@link EpochSession} and {@link DirectChannel} and the pool
 * among them; processes, clocks and network are simulated. Not thread-safe.
 */
public final class SimulatedCluster implements InstanceLauncher {
    static final int DEPLOYMENTS = 3;
    /**
     * The defaults, with an earlier client deadline: abandoned operations may take effect until then, which is
     * expensive to check.
     */
    public static final Times TIMES = new Times(
            Times.DEFAULT.ackWait(),
            Times.DEFAULT.lease(),
            Times.DEFAULT.drift(),
            Times.DEFAULT.session(),
            Times.DEFAULT.lockWait(),
            Times.DEFAULT.transaction(),
            Times.DEFAULT.attempt(),
            Duration.ofSeconds(20),
            Times.DEFAULT.slotLife());
    /** Slot life for some seeds, hardly longer than requests may be retried. */
    private static final Duration SHORT_SLOT_LIFE = Duration.ofSeconds(24);

    /**
     * Maximum clock rate error such that a lease measured by a slow clock ends before lease plus drift measured by a
     * fast one: (1 + e) / (1 - e) is at most (lease + drift) / lease.
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

    /** Fraction of the seeds. */
    private static final double SAME_MACHINE = 0.5;

    private static final double RELAYED = 0.25;
    private static final double ANTI_THRASHING = 0.25;
    private static final double SHORT_LIVED_SLOTS = 0.25;

    private static final double COORDINATED_BY_STORE = 0.25;
    /** Fraction of the instances, in runs with some that cache nothing. */
    private static final double CACHELESS = 0.5;

    public final Agenda agenda;
    public final Conditions conditions = new Conditions();
    public final Network network;
    final SimulatedTransport.Wire wire;
    /** Process of the current store. */
    public SimulatedProcess storeProcess;

    public final SimulatedProcess coordinatorProcess;
    /** Process from which the coordinator sends letters. */
    public final SimulatedProcess postProcess;

    public final SimulatedProcess gatewayProcess;
    public MemoryStore engine;
    public final SimulatedGateway gateway;
    private SimulatedStore.Server store;
    /** The same store, over connections that share the coordinator's faults. */
    private final SimulatedStore.Server control;

    private final SimulatedCoordinator.Server coordinator;
    private final Tokens tokens = Tokens.insecure();
    private final List<SimulatedInstance> instances = new ArrayList<>();
    /** True if a refused connection proves that an instance is gone. */
    private final boolean sameMachine;
    /** True if INVs and ACKs go through the coordinator only. */
    private final boolean relayed;
    /** True if the store coordinates. */
    public final boolean coordinatedByStore;

    /** True if some instances cache nothing. */
    private final boolean mixed;

    /** True if instances serve only within HTTP calls and are paused in between. */
    public final boolean paused;

    /** True if clients use anti-thrashing mode. */
    final boolean antiThrashing;

    /** Life of a slot after its last answer. */
    public final Duration slotLife;

    /** Number of instances so far that cache nothing. */
    public int cacheless;

    private int processes;

    /** The kind of a run's instances. */
    public enum Kind {
        ALIKE,
        /** Some cache nothing. */
        MIXED,
        /** They serve only within HTTP calls and are paused in between. */
        PAUSED,
        /** The store may come back older, unknown to the coordinator. */
        CONFIRMED
    }

    public SimulatedCluster(Agenda agenda, SimulatedTransport.Observer observer, Kind kind) {
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

    /** Returns the earliest wall clock of any process at a moment. */
    public static long earliestMillis(long nanos) {
        return Agenda.ORIGIN_MILLIS + (nanos - Agenda.ORIGIN) / 1_000_000 - WALL_ERROR_MILLIS;
    }

    /** Sets a watcher of the store's further commits. */
    public void watch(Runnable watcher) {
        store.watch(watcher);
    }

    /**
     * Kills the store and starts another with older content, as a server does that notices it (PROTOCOL: D6, D7).
     *
     * @param rows all rows of an earlier moment
     * @param watcher called for each commit of the new store
     * @return when it starts answering
     */
    public long comeBackOlder(List<Row> rows, Runnable watcher) {
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

    /** Creates a process with its own clock. */
    public SimulatedProcess process(String name) {
        double rate = 1 - CLOCK_ERROR + 2 * CLOCK_ERROR * agenda.random().nextDouble();
        long offset = agenda.within(2 * WALL_ERROR_MILLIS) - WALL_ERROR_MILLIS;
        return new SimulatedProcess(agenda, processes++, name, new SimulatedProcess.ClockError(rate, offset));
    }

    /** Returns the live instances. */
    public List<SimulatedInstance> instances() {
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
    public void calm() {
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
