package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.coordinator.relayed.RelayedChannel;
import io.lambdafs.coordinator.session.EpochSession;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.coordinator.store.StoreCoordinator;
import io.lambdafs.functions.NameNode;
import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.format.Fsck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Instances of several deployments over one store, one coordinator and one network, all in simulated time. Not thread-safe. */
final class SimulatedCluster {
    static final Principal ROOT = new Principal("root", List.of("root"));

    final ManualScheduler scheduler;
    final Placement placement;
    final LatentStore store;
    final List<Instance> instances = new ArrayList<>();
    final MetadataStore engine;
    /** Block tokens of the instances that are started from now on. */
    BlockTokens tokens;

    private final Supplier<List<Row>> rows;
    private final MemoryEnsemble ensemble;
    private final MemoryNetwork network;
    /** Settings of the instances that are started from now on. */
    NameNodeSettings settings = NameNodeSettings.defaults("root");
    /** Cache limit of the instances that are started from now on. */
    long cacheBytes = 16 << 20;
    /** The stores that clients of the instances that are started from now on access themselves. */
    @Nullable
    DirectStores directStores;

    /** How the build of the instances that are started from now on uses the store. */
    UnaryOperator<MetadataStore> build = store -> store;
    /**
     * True if instances that are started from now on keep membership, leases and letters in the store, and relay all
     * INVs.
     */
    boolean coordinatedByStore;

    private int started;
    private long sequence;

    /** On a store in memory. */
    SimulatedCluster(long seed, int deployments) {
        this(seed, deployments, EngineUnderTest::inMemory);
    }

    SimulatedCluster(long seed, int deployments, Function<Scheduler, EngineUnderTest> open) {
        scheduler = new ManualScheduler(seed);
        placement = new Placement(deployments);
        EngineUnderTest opened = open.apply(scheduler);
        engine = opened.store();
        rows = opened.rows();
        tokens = BlockTokens.of(null, () -> Instant.ofEpochMilli(scheduler.currentTimeMillis()));
        store = new LatentStore(engine, scheduler);
        ensemble = new MemoryEnsemble(scheduler, Times.DEFAULT.session());
        network = new MemoryNetwork(scheduler);
        await(Formatter.format(store, deployments, "root", scheduler.currentTimeMillis()));
    }

    /** Gives every message and store call a random latency up to this. */
    void setLatency(Duration longest) {
        store.setLatency(longest);
        network.setLatency(longest.dividedBy(2));
        ensemble.setLatency(longest.dividedBy(2));
    }

    /** One NameNode and its surroundings. */
    final class Instance {
        final int deployment;
        final FreezableScheduler process = new FreezableScheduler(scheduler);
        final PathTrie trie = new PathTrie(new CacheLimits(cacheBytes, 4096));
        final Failpoint failpoint = new Failpoint(scheduler, process);
        final MemoryChannel channel = network.channel(process);
        final MemoryCoordinator coordinator = ensemble.connect(process);
        final NameNode nameNode;
        /** Members that each of its rounds for single INodes went to. */
        final List<Integer> rounds = new ArrayList<>();
        /** Where its pages came from that the cache alone could not answer. */
        final List<Telemetry.Listed> listed = new ArrayList<>();
        /** Rows of detached trees that it has removed. */
        int reclaimed;

        Instance(int deployment) {
            this.deployment = deployment;
            InstanceIdentity identity = new InstanceIdentity(deployment, "instance-" + started++);
            MetadataStore ownStore = build.apply(failpoint.wrap(store));
            Times times = settings.times();
            Coordinator keeper = coordinatedByStore ? new StoreCoordinator(ownStore, process, times) : coordinator;
            InvalidationChannel way = coordinatedByStore
                    ? new RelayedChannel(identity.instance(), keeper.mailboxes(), process)
                    : failpoint.wrap(channel);
            SessionContext session = new SessionContext(keeper, way, ownStore, process, times);
            nameNode = new NameNode(new NameNodeContext(
                    deployment,
                    settings,
                    ownStore,
                    trie,
                    new InFlight(10_000),
                    process,
                    listener -> {
                        EpochSession epochs = new EpochSession(identity, session);
                        epochs.attach(listener);
                        return epochs;
                    },
                    new Telemetry() {
                        @Override
                        public void round(int targets, long nanos) {
                            rounds.add(targets);
                        }

                        @Override
                        public void listed(Listed from) {
                            listed.add(from);
                        }

                        @Override
                        public void reclaimed(int rows) {
                            reclaimed += rows;
                        }
                    },
                    tokens,
                    directStores == null ? DirectStores.none(process) : directStores));
        }

        CompletableFuture<OperationReply> send(Principal who, RequestId id, Operation<?> operation) {
            CompletableFuture<OperationReply> reply = new CompletableFuture<>();
            long deadline = scheduler.currentTimeMillis() + 60_000;
            nameNode.execute(who, new OperationRequest(0, id, 1, deadline, operation), reply::complete);
            return reply;
        }

        Reply call(Principal who, Operation<?> operation) {
            return await(send(who, nextId(), operation)).reply();
        }

        Reply call(Operation<?> operation) {
            return call(ROOT, operation);
        }

        boolean hits(Operation<?> operation) {
            return await(send(ROOT, nextId(), operation)).cacheHit();
        }
    }

    Instance start(int deployment) {
        Instance instance = new Instance(deployment);
        instances.add(instance);
        await(instance.nameNode.start());
        return instance;
    }

    /** Ends the process of an instance, or of one that has just begun to join. */
    void kill(Instance instance) {
        instances.remove(instance);
        instance.process.freeze();
        instance.channel.isolate();
        instance.coordinator.partition();
        instance.failpoint.closeConnections();
    }

    /** Has an instance leave, and ends its process. */
    void leave(Instance instance) {
        instances.remove(instance);
        await(instance.nameNode.leave());
        instance.nameNode.close();
        instance.coordinator.close();
    }

    /** Everything that is committed. */
    List<Row> rows() {
        return rows.get();
    }

    /** An instance of the deployment that an operation is routed to. */
    Instance owner(Operation<?> operation) {
        int deployment = placement.of(operation);
        return instances.stream()
                .filter(instance -> instance.deployment == deployment)
                .findFirst()
                .orElseGet(() -> start(deployment));
    }

    Reply call(Operation<?> operation) {
        return owner(operation).call(operation);
    }

    /** Inspects the store. */
    Fsck.Report inspect() {
        return Fsck.check(rows());
    }

    /** Inspects the store, in which nothing may be broken or left over. */
    Fsck.Report wholeStore() {
        Fsck.Report report = inspect();
        assertThat(report.problems()).isEmpty();
        assertThat(report.unfinished()).isEmpty();
        return report;
    }

    RequestId nextId() {
        // Slots in turn, as a client's window, each with its own sequence.
        long request = sequence++;
        return new RequestId(1, 2, (int) (request % 1_000), 1 + request / 1_000);
    }

    <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        for (int i = 0; i < 1_000_000 && !future.isDone(); i++) {
            scheduler.advance(100_000);
        }
        if (!future.isDone()) {
            throw new AssertionError("nothing came within 100 s of simulated time");
        }
        try {
            return future.join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    void advance(Duration time) {
        scheduler.advance(time.toNanos());
    }
}
