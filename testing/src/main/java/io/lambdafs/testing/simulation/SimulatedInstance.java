package io.lambdafs.testing.simulation;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.model.Principal;
import io.lambdafs.model.Scheduler;
import io.lambdafs.model.Times;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.transports.TransportKind;
import io.lambdafs.simulation.SimulatedFunction;
import io.lambdafs.simulation.SimulatedGateway;
import io.lambdafs.simulation.SimulatedTransport;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process in which an instance of the function runs, as its platform sees it: behind HTTP. Not thread-safe. */
final class SimulatedInstance extends SimulatedFunction {
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

    private final SimulatedTransport transport;
    private final Maker maker;
    /** Whether it gives its lease back with each reply, and is paused until the next call. */
    private final boolean paused;

    private @Nullable NameNodeAssembly function;
    private boolean stopping;

    /** @param paused whether it is paused between calls */
    SimulatedInstance(String id, SimulatedTransport transport, SimulatedGateway gateway, Maker maker, boolean paused) {
        super(id, transport.process(), gateway);
        this.paused = paused;
        this.transport = transport;
        this.maker = maker;
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
        return stopping || process().isDead();
    }

    /** The deployment that it was initialised for; -1 before. */
    int deployment() {
        NameNodeAssembly made = function;
        return made == null ? -1 : made.deployment();
    }

    @Override
    protected void begin(int deployment, CompletableFuture<ActionReply> answer) {
        function = maker.make(this, deployment);
        answer.complete(OK);
    }

    @Override
    protected void serve(SimulatedGateway.CallUnderWay call, CompletableFuture<ActionReply> answer) {
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
        call.replied(process(), reply);
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
            gateway().paused();
            process().pause();
        });
    }

    /** Takes requests from now on, whoever calls. */
    void attend() {
        process().wake();
        process().message(() -> {
            NameNodeAssembly made = function;
            if (paused && made != null) {
                made.resume(false);
            }
        });
    }

    /** A request from nowhere in particular; not answered where there is no function yet, or no more. */
    void serve(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        process().message(() -> {
            NameNodeAssembly made = function;
            if (made != null) {
                made.gate().serveTcp(caller, request, reply);
            }
        });
    }

    @Override
    public void stop(Duration grace) {
        stopping = true;
        if (paused) {
            // Such a platform does not say that it ends an instance.
            kill();
            return;
        }
        Scheduler.Timer limit = gateway().process().schedule(grace.toNanos(), this::kill);
        process().message(() -> {
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
    protected OptionalLong billedMillis() {
        NameNodeAssembly made = function;
        return made == null ? OptionalLong.empty() : OptionalLong.of(made.billedMillis());
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
                        0, caches ? CACHE_BYTES : 0, 64 << 10, 4_096, 1, 1, RECLAIM_BATCH, 4, CHANGE_LOG_ENTRIES, 0),
                times,
                "INFO");
    }
}
