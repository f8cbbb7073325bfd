package io.lambdafs.hammer.scale;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.platform.local.pool.PoolLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedGateway;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Everything except the load: the gateway with the real pool, the instances that it starts, the store, and real
 * clients. Not thread-safe.
 */
final class ScaleCluster implements InstanceLauncher {
    private static final String USER = "load";
    /** The 90th percentile of a normal distribution, in standard deviations. */
    private static final double P90_DEVIATIONS = 1.2816;

    /** One process that generates load. */
    record Client(LambdaFs fs, Processors processors) {}

    private final Agenda agenda;
    private final ScaleSettings settings;
    private final Wires wires;
    private final SimulatedTransport.Wire wire;
    private final @Nullable Processors machine;
    private final ShardedStore store;
    private final Members members;
    private final ModelNameNode.Context context;
    private final Processors gatewayProcessors;
    private final SimulatedGateway gateway;
    private final Secret secret = Secret.generate();
    private final Tokens tokens;
    private final List<ScaleInstance> instances = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private int processes;
    private int started;

    ScaleCluster(Agenda agenda, ScaleSettings settings) {
        this.agenda = agenda;
        this.settings = settings;
        this.tokens = Tokens.signed(secret, this::now);
        this.wires = new Wires(agenda, settings.network());
        this.wire = new SimulatedTransport.Wire(agenda, wires, SimulatedTransport.Observer.NOBODY);
        ScaleSettings.Machine shared = settings.machine();
        this.machine = shared.processors() == 0 ? null : new Processors(agenda, shared.processors());
        if (machine != null) {
            machine.disturb(shared.others(), shared.sliceNanos());
        }
        this.store = new ShardedStore(agenda, wires, settings.store(), machine);
        ScaleSettings.Platform platform = settings.platform();
        this.members =
                new Members(agenda, platform.deployments(), settings.service().coordinatorNanos());
        this.context = new ModelNameNode.Context(settings, wires, store, members);
        this.gatewayProcessors = own(platform.gatewayProcessors());
        int memoryMb = settings.instance().memoryMb();
        PoolLimits limits = PoolLimits.defaults()
                .withMemoryMb((settings.mostInstances() + platform.prewarm()) * memoryMb)
                .withMaxInstances(platform.maxInstances())
                .withKeepAlive(platform.keepAlive())
                .withStartConcurrency(platform.startConcurrency())
                .withPrewarm(platform.prewarm());
        this.gateway = new SimulatedGateway(
                process("gateway"),
                wire,
                this,
                new SimulatedGateway.Platform(
                        limits,
                        new ActionLimits(
                                60_000, memoryMb, 0, settings.instance().concurrency()),
                        platform.deployments(),
                        call -> gatewayProcessors.work(settings.service().httpGatewayNanos(), call)));
        for (int i = 0; i < settings.clients().processes(); i++) {
            clients.add(client(i));
        }
    }

    /** Returns the wall clock of all processes. */
    private Instant now() {
        return Instant.ofEpochMilli(Agenda.ORIGIN_MILLIS + (agenda.now() - Agenda.ORIGIN) / 1_000_000);
    }

    private Processors own(int count) {
        Processors shared = machine;
        return shared == null ? new Processors(agenda, count) : shared;
    }

    private SimulatedProcess process(String name) {
        return new SimulatedProcess(agenda, processes++, name, SimulatedProcess.ClockError.NONE, 0);
    }

    private Client client(int number) {
        ScaleSettings.Clients use = settings.clients();
        SimulatedProcess process = process("client" + number);
        SimulatedTransport transport = new SimulatedTransport(wire, process);
        Processors processors = own(use.processors());
        ClientConfig config = ClientConfig.builder()
                .gateway(URI.create("http://127.0.0.1:1"))
                .deployments(settings.platform().deployments())
                .user(USER)
                .groups(List.of(USER))
                .secret(secret)
                .http(new ClientConfig.HttpUse(use.httpProbability(), use.replacements(), use.httpInFlight()))
                .stragglersEnabled(use.stragglers())
                .antiThrashingEnabled(use.antiThrashing())
                .firstContact(Duration.ofSeconds(60))
                .build();
        ClientRuntime runtime =
                ClientRuntime.of(new ClientRuntime.Context(process, kind -> transport, agenda.random()));
        var caller = gateway.invoker(process, new Principal(USER, List.of(USER)));
        return new Client(
                LambdaFs.open(config, runtime, new SlowInvoker(caller, processors, settings.service(), process)),
                processors);
    }

    ScaleSettings settings() {
        return settings;
    }

    ModelNameNode.Context context() {
        return context;
    }

    Tokens tokens() {
        return tokens;
    }

    ShardedStore store() {
        return store;
    }

    Members members() {
        return members;
    }

    SimulatedGateway gateway() {
        return gateway;
    }

    /** Returns the number of instances started so far. */
    long started() {
        return started;
    }

    /** Returns the reserved processor time of the one shared machine; 0 if there is none. */
    long machineUsedNanos() {
        return machine == null ? 0 : machine.usedNanos();
    }

    Processors gatewayProcessors() {
        return gatewayProcessors;
    }

    List<Client> clients() {
        return clients;
    }

    /** Returns the instances with a live process. */
    List<ScaleInstance> instances() {
        instances.removeIf(ScaleInstance::isDead);
        return instances;
    }

    @Override
    public Set<String> kinds() {
        return Set.of("simulated");
    }

    @Override
    public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
        CompletableFuture<RunningInstance> launched = new CompletableFuture<>();
        long cold = coldStartNanos();
        long cpu = Math.min(cold, (long) (settings.platform().startCpuMillis() * 1e6));
        Processors processors = own((int) Math.ceil(settings.instance().vcpu()));
        agenda.after(
                cold - cpu,
                () -> processors.slices(
                        cpu,
                        () -> gateway.process().message(() -> {
                            SimulatedTransport transport = new SimulatedTransport(wire, process(instanceId));
                            ScaleInstance instance =
                                    new ScaleInstance(instanceId, started++, transport, this, processors);
                            instances.add(instance);
                            launched.complete(instance);
                        })));
        return launched;
    }

    /** Draws the time of a cold start without the initialisation: log-normal. */
    private long coldStartNanos() {
        ScaleSettings.Platform platform = settings.platform();
        double median = platform.coldStartMillis();
        double deviation = Math.log(Math.max(1, platform.coldStartP90Millis() / median)) / P90_DEVIATIONS;
        double millis = median * Math.exp(deviation * agenda.random().nextGaussian());
        return (long) (Math.max(0, millis - platform.warmStartMillis()) * 1e6);
    }

    @Override
    public void close() {
        instances().forEach(ScaleInstance::kill);
    }
}
