package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.SimulatedFunction;
import io.lambdafs.simulation.SimulatedGateway;
import io.lambdafs.simulation.SimulatedTransport;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A simulated process running an instance of the function, behind HTTP. Not thread-safe. */
public final class SimulatedInstance extends SimulatedFunction {
    /** Small enough for the cache to evict. */
    private static final int CACHE_BYTES = 80 << 10;
    /** So small that directories take several transactions. */
    private static final int RECLAIM_BATCH = 16;
    /** More than a run produces. */
    private static final int CHANGE_LOG_ENTRIES = 1_000_000;

    /** Creates the function inside the process once its deployment is known. */
    interface Maker {
        NameNodeAssembly make(SimulatedInstance inside, int deployment);
    }

    private final SimulatedTransport transport;
    private final Maker maker;
    /** True if it releases its lease with each reply and is paused until the next call. */
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

    public SimulatedTransport transport() {
        return transport;
    }

    /** Returns the function; null before initialisation. */
    @Nullable
    public NameNodeAssembly function() {
        return function;
    }

    /** Returns whether it is stopping or dead. */
    public boolean isGoing() {
        return stopping || process().isDead();
    }

    /** Returns its deployment; -1 before initialisation. */
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

    /** Accepts requests from now on. */
    public void attend() {
        process().wake();
        process().message(() -> {
            NameNodeAssembly made = function;
            if (paused && made != null) {
                made.resume(false);
            }
        });
    }

    /** Serves a request without a connection; not answered without a function. */
    public void serve(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
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
            // Such a platform gives no notice before ending an instance.
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

    /** Returns a configuration with the simulation's deployments and a small cache or none. */
    static FunctionConfig config(int deployments, Times times, boolean caches) {
        return new FunctionConfig(
                "simulated",
                deployments,
                "root",
                new FunctionConfig.Endpoints("none", 1, SimulatedTransport.HOST, SimulatedTransport.HOST, true),
                FunctionConfig.Coordination.BY_STORE,
                null,
                true,
                new FunctionConfig.Limits(
                        0, caches ? CACHE_BYTES : 0, 64 << 10, 4_096, 1, 1, RECLAIM_BATCH, 4, CHANGE_LOG_ENTRIES, 0, 0),
                times,
                "INFO");
    }
}
