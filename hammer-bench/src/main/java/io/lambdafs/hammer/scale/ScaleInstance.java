package io.lambdafs.hammer.scale;

import io.lambdafs.functions.metrics.FunctionMetrics;
import io.lambdafs.functions.serving.BillingMeter;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.functions.serving.CpuShare;
import io.lambdafs.functions.serving.RequestGate;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.platform.local.instance.InstanceLog;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.rpc.OperationRequest;
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

/**
 * An instance of the function: admission, CPU share, billing and connections to clients are the real ones; what they serve is a {@link
 * ModelNameNode}. Not thread-safe.
 */
final class ScaleInstance implements RunningInstance {
    private static final ActionReply OK = new ActionReply(200, "{\"v\":1}".getBytes(StandardCharsets.UTF_8));

    /** As the real instance has it. */
    private static final long WARM_UP_NANOS = 1_500_000_000L;

    private final String id;
    private final int number;
    private final SimulatedProcess process;
    private final SimulatedTransport transport;
    private final ScaleCluster cluster;
    private final Processors processors;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<ActionReply>> underWay = new LinkedHashMap<>();
    private @Nullable Function function;
    private long exchanges;

    /** What is made when the deployment is known. */
    private record Function(
            int deployment, ModelNameNode nameNode, RequestGate gate, BillingMeter meter, ClientConnections clients) {}

    ScaleInstance(String id, int number, SimulatedTransport transport, ScaleCluster cluster, Processors processors) {
        this.id = id;
        this.number = number;
        this.process = transport.process();
        this.transport = transport;
        this.cluster = cluster;
        this.processors = processors;
        process.onEnd(this::died);
    }

    Processors processors() {
        return processors;
    }

    boolean isDead() {
        return process.isDead();
    }

    /** What it has cached and asked; null before it is initialised. */
    @Nullable
    ModelCache cache() {
        Function made = function;
        return made == null ? null : made.nameNode.cache();
    }

    @Override
    public CompletionStage<ActionReply> init(byte[] json) {
        int deployment = SimulatedGateway.deployment(new String(json, StandardCharsets.UTF_8));
        return exchange(answer -> {
            Function made = make(deployment);
            long init = (long) (cluster.settings().platform().warmStartMillis() * 1e6);
            // Its epoch is a commit.
            process.schedule(
                    init,
                    () -> cluster.store()
                            .commit(
                                    number,
                                    () -> process.message(() -> {
                                        function = made;
                                        cluster.members().join(deployment, made.nameNode);
                                        answer.complete(OK);
                                    })));
        });
    }

    private Function make(int deployment) {
        ModelNameNode nameNode = new ModelNameNode(cluster.context(), deployment, number + 1L, process, processors);
        BillingMeter meter = new BillingMeter(process);
        CpuShare share =
                new CpuShare(cluster.settings().instance().vcpu(), nameNode::usedNanos, process, WARM_UP_NANOS);
        RequestGate gate =
                new RequestGate(new RequestGate.Answerer(deployment, nameNode::epoch, nameNode), share, meter);
        ClientConnections clients = new ClientConnections(
                kind -> transport,
                cluster.tokens(),
                new ClientConnections.Self(deployment, id, nameNode::epoch),
                gate,
                process,
                ClientRanges.LOOPBACK);
        return new Function(deployment, nameNode, gate, meter, clients);
    }

    @Override
    public CompletionStage<ActionReply> run(byte[] json) {
        SimulatedGateway gateway = cluster.gateway();
        SimulatedGateway.CallUnderWay call =
                gateway.ofCall(SimulatedGateway.call(new String(json, StandardCharsets.UTF_8)));
        return exchange(answer -> {
            Function made = function;
            if (made == null) {
                answer.completeExceptionally(new IllegalStateException("not initialised"));
            } else {
                made.nameNode.work(cluster.settings().service().httpInstanceNanos(), () -> serve(made, call, answer));
            }
        });
    }

    private void serve(Function made, SimulatedGateway.CallUnderWay call, CompletableFuture<ActionReply> answer) {
        List<ClientConnections.Server> servers = call.invocation().tcp().stream()
                .map(offer -> new ClientConnections.Server(
                        offer.host(), offer.port(), offer.transport(), offer.registration()))
                .toList();
        made.clients.reach(new ClientConnections.Caller(call.principal().user(), null), servers);
        OperationRequest request = call.invocation().request();
        if (request == null) {
            answer.complete(OK);
            return;
        }
        made.gate.serveHttp(call.principal(), request, reply -> {
            call.replied(process, reply);
            answer.complete(OK);
        });
    }

    /** A request of the gateway, there and back. */
    private CompletionStage<ActionReply> exchange(Consumer<CompletableFuture<ActionReply>> work) {
        SimulatedGateway gateway = cluster.gateway();
        CompletableFuture<ActionReply> result = new CompletableFuture<>();
        long exchange = exchanges++;
        underWay.put(exchange, result);
        result.whenComplete((reply, failure) -> underWay.remove(exchange));
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
        Function made = function;
        if (made != null) {
            cluster.members().leave(made.deployment, made.nameNode);
        }
        for (CompletableFuture<ActionReply> each : List.copyOf(underWay.values())) {
            cluster.gateway()
                    .later(() -> each.completeExceptionally(new IllegalStateException("the process has gone")));
        }
        cluster.gateway().later(() -> exit.complete(137));
    }

    @Override
    public void stop(Duration grace) {
        process.schedule(grace.toNanos(), this::kill);
        process.message(() -> {
            Function made = function;
            if (made == null) {
                kill();
                return;
            }
            made.gate.close();
            made.gate.drained().thenRun(() -> {
                made.clients.close();
                process.execute(this::kill);
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
        Function made = function;
        return CompletableFuture.completedFuture(
                made == null || !process.isRunning()
                        ? MetricsPage.EMPTY
                        : MetricsPage.parse("# TYPE " + FunctionMetrics.BILLED + " counter\n" + FunctionMetrics.BILLED
                                + ' ' + made.meter.billedMillis()));
    }

    @Override
    public InstanceLog log() {
        return InstanceLog.NONE;
    }
}
