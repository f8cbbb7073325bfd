package io.lambdafs.simulation;

import io.lambdafs.model.FsException;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.platform.local.instance.InstanceLog;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Base class of a simulated instance process as seen by its platform, behind HTTP; subclasses define how calls are
 * served. Not thread-safe.
 */
public abstract class SimulatedFunction implements RunningInstance {
    /** The reply to a call. */
    protected static final ActionReply OK = new ActionReply(200, "{\"v\":1}".getBytes(StandardCharsets.UTF_8));

    private static final int KILLED = 137;

    private final String id;
    private final SimulatedProcess process;
    private final SimulatedGateway gateway;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<ActionReply>> underWay = new LinkedHashMap<>();
    private long exchanges;

    protected SimulatedFunction(String id, SimulatedProcess process, SimulatedGateway gateway) {
        this.id = id;
        this.process = process;
        this.gateway = gateway;
        process.onEnd(this::died);
    }

    /** Returns the instance's id. */
    public final String id() {
        return id;
    }

    /** Returns its process. */
    public final SimulatedProcess process() {
        return process;
    }

    /** Returns the gateway that calls it. */
    protected final SimulatedGateway gateway() {
        return gateway;
    }

    /** Initialises the instance for a deployment, and replies; runs in the process. */
    protected abstract void begin(int deployment, CompletableFuture<ActionReply> answer);

    /** Serves a call, and replies; runs in the process. */
    protected abstract void serve(SimulatedGateway.CallUnderWay call, CompletableFuture<ActionReply> answer);

    /** Called when the process has ended, before its callers notice. */
    protected void hasEnded() {}

    /** Returns the billed time; empty before initialisation. */
    protected abstract OptionalLong billedMillis();

    /** Returns its CPU use as a multiple of its share; 0 without one. */
    protected double ofCpuShare() {
        return 0;
    }

    @Override
    public final CompletionStage<ActionReply> init(byte[] json) {
        int deployment = SimulatedGateway.deployment(new String(json, StandardCharsets.UTF_8));
        return exchange(answer -> begin(deployment, answer));
    }

    @Override
    public final CompletionStage<ActionReply> run(byte[] json) {
        SimulatedGateway.CallUnderWay call =
                gateway.ofCall(SimulatedGateway.call(new String(json, StandardCharsets.UTF_8)));
        return exchange(answer -> serve(call, answer));
    }

    /** Makes a request from the gateway, with both network hops. */
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
        hasEnded();
        for (CompletableFuture<ActionReply> each : List.copyOf(underWay.values())) {
            gateway.later(() -> each.completeExceptionally(new IllegalStateException("the process has gone")));
        }
        gateway.later(() -> exit.complete(KILLED));
    }

    @Override
    public final void kill() {
        process.kill();
    }

    @Override
    public final CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public final OptionalLong pid() {
        return OptionalLong.empty();
    }

    @Override
    public final String endpoint() {
        return id;
    }

    @Override
    public final CompletionStage<MetricsPage> metrics() {
        OptionalLong billed = billedMillis();
        return CompletableFuture.completedFuture(
                billed.isEmpty() || !process.isRunning()
                        ? MetricsPage.EMPTY
                        : MetricsPage.ofCounters(Map.of(MetricsPage.BILLED, billed.getAsLong()))
                                .plus(MetricsPage.ofGauges(Map.of(MetricsPage.OF_CPU_SHARE, ofCpuShare()))));
    }

    @Override
    public final InstanceLog log() {
        return InstanceLog.NONE;
    }
}
