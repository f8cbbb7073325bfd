package io.lambdafs.hammer.scale;

import io.lambdafs.functions.serving.BillingMeter;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.functions.serving.CpuShare;
import io.lambdafs.functions.serving.RequestGate;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.SimulatedFunction;
import io.lambdafs.simulation.SimulatedGateway;
import io.lambdafs.simulation.SimulatedTransport;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the function: admission, CPU share, billing and connections to clients are the real ones; they serve a
 * {@link ModelNameNode}. Not thread-safe.
 */
final class ScaleInstance extends SimulatedFunction {
    /** The value of the real instance. */
    private static final long WARM_UP_NANOS = 1_500_000_000L;

    private final int number;
    private final SimulatedTransport transport;
    private final ScaleCluster cluster;
    private final Processors processors;
    private @Nullable Function function;

    /** The parts created when the deployment is known. */
    private record Function(
            int deployment, ModelNameNode nameNode, RequestGate gate, BillingMeter meter, ClientConnections clients) {}

    ScaleInstance(String id, int number, SimulatedTransport transport, ScaleCluster cluster, Processors processors) {
        super(id, transport.process(), cluster.gateway());
        this.number = number;
        this.transport = transport;
        this.cluster = cluster;
        this.processors = processors;
    }

    Processors processors() {
        return processors;
    }

    boolean isDead() {
        return process().isDead();
    }

    /** Returns its cache; null before it is initialised. */
    @Nullable
    ModelCache cache() {
        Function made = function;
        return made == null ? null : made.nameNode.cache();
    }

    @Override
    protected void begin(int deployment, CompletableFuture<ActionReply> answer) {
        Function made = make(deployment);
        long init = (long) (cluster.settings().platform().warmStartMillis() * 1e6);
        // Obtaining its epoch takes a commit.
        process()
                .schedule(
                        init,
                        () -> cluster.store()
                                .commit(
                                        number,
                                        () -> process().message(() -> {
                                            function = made;
                                            cluster.members().join(deployment, made.nameNode);
                                            compile();
                                            answer.complete(OK);
                                        })));
    }

    /** Uses processor time for compilers, whose thread takes turns with everything else on the machine. */
    private void compile() {
        long cpu = (long) (cluster.settings().platform().compileCpuMillis() * 1e6);
        processors.slices(cpu, () -> {});
    }

    private Function make(int deployment) {
        ModelNameNode nameNode = new ModelNameNode(cluster.context(), deployment, number + 1L, process(), processors);
        BillingMeter meter = new BillingMeter(process());
        CpuShare share = new CpuShare(
                cluster.settings().instance().vcpu(), nameNode::usedNanos, process(), WARM_UP_NANOS, new Steadiness());
        RequestGate gate =
                new RequestGate(new RequestGate.Answerer(deployment, nameNode::epoch, nameNode), share, meter);
        ClientConnections clients = new ClientConnections(
                kind -> transport,
                cluster.tokens(),
                new ClientConnections.Self(deployment, id(), nameNode::epoch),
                gate,
                process(),
                ClientRanges.LOOPBACK);
        return new Function(deployment, nameNode, gate, meter, clients);
    }

    @Override
    protected void serve(SimulatedGateway.CallUnderWay call, CompletableFuture<ActionReply> answer) {
        Function made = function;
        if (made == null) {
            answer.completeExceptionally(new IllegalStateException("not initialised"));
        } else {
            made.nameNode.work(cluster.settings().service().httpInstanceNanos(), () -> serve(made, call, answer));
        }
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
            call.replied(process(), reply);
            answer.complete(OK);
        });
    }

    @Override
    protected void hasEnded() {
        Function made = function;
        if (made != null) {
            cluster.members().leave(made.deployment, made.nameNode);
        }
    }

    @Override
    public void stop(Duration grace) {
        process().schedule(grace.toNanos(), this::kill);
        process().message(() -> {
            Function made = function;
            if (made == null) {
                kill();
                return;
            }
            made.gate.close();
            made.gate.drained().thenRun(() -> {
                made.clients.close();
                process().execute(this::kill);
            });
        });
    }

    @Override
    protected OptionalLong billedMillis() {
        Function made = function;
        return made == null ? OptionalLong.empty() : OptionalLong.of(made.meter.billedMillis());
    }

    @Override
    protected double ofCpuShare() {
        Function made = function;
        return made == null ? 0 : made.gate.ofCpuShare();
    }
}
