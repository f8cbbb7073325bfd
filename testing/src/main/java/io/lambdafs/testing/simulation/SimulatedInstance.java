package io.lambdafs.testing.simulation;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.metrics.FunctionMetrics;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Principal;
import io.lambdafs.model.Scheduler;
import io.lambdafs.model.Times;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.platform.local.instance.InstanceLog;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.transports.TransportKind;
import io.lambdafs.simulation.SimulatedGateway;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process in which an instance of the function runs, as its platform sees it: behind HTTP. Not thread-safe. */
final class SimulatedInstance implements RunningInstance {
    private static final ActionReply OK = new ActionReply(200, "{\"v\":1}".getBytes(StandardCharsets.UTF_8));

    /** Little enough for the cache to evict. */
    private static final int CACHE_BYTES = 80 << 10;
    /** So few that directories take several transactions. */
    private static final int RECLAIM_BATCH = 16;
    /** More than a run has. */
    private static final int CHANGE_LOG_ENTRIES = 1_000_000;

    /** Makes the function inside the process, once its deployment is known. */
    interface Maker {
        NameNodeAssembly make(SimulatedInstance inside, int deployment);
    }

    private final String id;
    private final SimulatedProcess process;
    private final SimulatedTransport transport;
    private final SimulatedGateway gateway;
    private final Maker maker;
    /** Whether it gives its lease back with each reply, and is paused until the next call. */
    private final boolean paused;

    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<ActionReply>> underWay = new LinkedHashMap<>();
    private @Nullable NameNodeAssembly function;
    private boolean stopping;
    private long exchanges;

    /** @param paused whether it is paused between calls */
    SimulatedInstance(String id, SimulatedTransport transport, SimulatedGateway gateway, Maker maker, boolean paused) {
        this.id = id;
        this.paused = paused;
        this.transport = transport;
        this.process = transport.process();
        this.gateway = gateway;
        this.maker = maker;
        process.onEnd(this::died);
    }

    String id() {
        return id;
    }

    SimulatedProcess process() {
        return process;
    }

    SimulatedTransport transport() {
        return transport;
    }

    /** The function; null before it is initialised. */
    @Nullable
    NameNodeAssembly function() {
        return function;
    }

    /** Returns whether it has been told to leave, or is dead. */
    boolean isGoing() {
        return stopping || process.isDead();
    }

    /** The deployment that it was initialised for; -1 before. */
    int deployment() {
        NameNodeAssembly made = function;
        return made == null ? -1 : made.deployment();
    }

    @Override
    public CompletionStage<ActionReply> init(byte[] json) {
        int deployment = SimulatedGateway.deployment(new String(json, StandardCharsets.UTF_8));
        return exchange(answer -> {
            function = maker.make(this, deployment);
            answer.complete(OK);
        });
    }

    @Override
    public CompletionStage<ActionReply> run(byte[] json) {
        SimulatedGateway.CallUnderWay call =
                gateway.ofCall(SimulatedGateway.call(new String(json, StandardCharsets.UTF_8)));
        return exchange(answer -> serve(call, answer));
    }

    private void serve(SimulatedGateway.CallUnderWay call, CompletableFuture<ActionReply> answer) {
        NameNodeAssembly made = function;
        if (made == null) {
            answer.completeExceptionally(new IllegalStateException("not initialised"));
            return;
        }
        List<ClientConnections.Server> servers = call.invocation().tcp().stream()
                .map(offer -> new ClientConnections.Server(
                        offer.host(), offer.port(), offer.transport(), offer.registration()))
                .toList();
        made.clients().reach(new ClientConnections.Caller(call.principal().user(), null), servers);
        OperationRequest request = call.invocation().request();
        if (paused) {
            made.resume(false);
        }
        if (request == null) {
            ended(made, answer);
        } else {
            made.gate().serveHttp(call.principal(), request, reply -> replied(call, reply, answer));
        }
    }

    private void replied(
            SimulatedGateway.CallUnderWay call, OperationReply reply, CompletableFuture<ActionReply> answer) {
        call.replied(process, reply);
        NameNodeAssembly made = function;
        if (made != null) {
            ended(made, answer);
        }
    }

    private void ended(NameNodeAssembly made, CompletableFuture<ActionReply> answer) {
        if (!paused) {
            answer.complete(OK);
            return;
        }
        made.suspend().whenComplete((done, failure) -> {
            answer.complete(OK);
            gateway.paused();
            process.pause();
        });
    }

    /** Takes requests from now on, whoever calls. */
    void attend() {
        process.wake();
        process.message(() -> {
            NameNodeAssembly made = function;
            if (paused && made != null) {
                made.resume(false);
            }
        });
    }

    /** A request from nowhere in particular; not answered where there is no function yet, or no more. */
    void serve(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        process.message(() -> {
            NameNodeAssembly made = function;
            if (made != null) {
                made.gate().serveTcp(caller, request, reply);
            }
        });
    }

    /** A request of the gateway, there and back. */
    private CompletionStage<ActionReply> exchange(Consumer<CompletableFuture<ActionReply>> work) {
        CompletableFuture<ActionReply> result = new CompletableFuture<>();
        long number = exchanges++;
        underWay.put(number, result);
        result.whenComplete((reply, failure) -> underWay.remove(number));
        CompletableFuture<ActionReply> inside = new CompletableFuture<>();
        inside.whenComplete((reply, failure) -> gateway.fromInstance(process, () -> {
            if (reply != null) {
                result.complete(reply);
            } else {
                result.completeExceptionally(FsException.of(failure));
            }
        }));
        gateway.toInstance(process, () -> work.accept(inside));
        return result;
    }

    private void died() {
        for (CompletableFuture<ActionReply> each : List.copyOf(underWay.values())) {
            gateway.later(() -> each.completeExceptionally(new IllegalStateException("the process has gone")));
        }
        gateway.later(() -> exit.complete(137));
    }

    @Override
    public void stop(Duration grace) {
        stopping = true;
        if (paused) {
            // Such a platform does not say that it ends an instance.
            kill();
            return;
        }
        Scheduler.Timer limit = gateway.process().schedule(grace.toNanos(), this::kill);
        process.message(() -> {
            NameNodeAssembly made = function;
            if (made == null) {
                kill();
                return;
            }
            made.leave().whenComplete((done, failure) -> {
                limit.cancel();
                kill();
            });
        });
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.empty();
    }

    @Override
    public String endpoint() {
        return id;
    }

    @Override
    public CompletionStage<MetricsPage> metrics() {
        NameNodeAssembly made = function;
        return CompletableFuture.completedFuture(
                made == null || !process.isRunning()
                        ? MetricsPage.EMPTY
                        : MetricsPage.parse("# TYPE " + FunctionMetrics.BILLED + " counter\n" + FunctionMetrics.BILLED
                                + ' ' + made.billedMillis()));
    }

    @Override
    public InstanceLog log() {
        return InstanceLog.NONE;
    }

    /** Configuration with the simulation's deployments, with a small cache or with none. */
    static FunctionConfig config(int deployments, Times times, boolean caches) {
        return new FunctionConfig(
                "simulated",
                deployments,
                "root",
                new FunctionConfig.Endpoints("none", 1, SimulatedTransport.HOST, SimulatedTransport.HOST, true),
                new FunctionConfig.Coordination(
                        FunctionConfig.Coordination.Keeper.STORE,
                        "",
                        false,
                        FunctionConfig.Coordination.Inv.DIRECT,
                        TransportKind.NETTY),
                null,
                true,
                new FunctionConfig.Limits(
                        0, caches ? CACHE_BYTES : 0, 64 << 10, 4_096, 1, 1, RECLAIM_BATCH, 4, CHANGE_LOG_ENTRIES),
                times,
                "INFO");
    }
}
