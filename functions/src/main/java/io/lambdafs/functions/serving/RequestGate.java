package io.lambdafs.functions.serving;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.rpc.tracing.Traced;
import io.lambdafs.rpc.tracing.Tracing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The gate that every request passes on its way to the NameNode, by HTTP or TCP: it refuses requests while the instance
 * leaves or has used up its CPU share, counts them, and meters them for billing from admission to reply. Thread-safe;
 * adds no thread hand-off.
 */
public final class RequestGate {
    /** Number of requests waiting for CPU time at which further TCP requests are refused. */
    static final int MAX_QUEUED = 64;

    private final int deployment;
    private final LongSupplier epoch;
    private final RequestExecutor executor;
    private final CpuShare cpu;
    private final BillingMeter meter;

    private final LongAdder byTcp = new LongAdder();
    private final LongAdder byHttp = new LongAdder();
    private final LongAdder overloaded = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean leaving;

    /** The instance that answers. */
    public record Answerer(int deployment, LongSupplier epoch, RequestExecutor executor) {}

    public RequestGate(Answerer answerer, CpuShare cpu, BillingMeter meter) {
        this.deployment = answerer.deployment();
        this.epoch = answerer.epoch();
        this.executor = answerer.executor();
        this.cpu = cpu;
        this.meter = meter;
    }

    /**
     * Serves a TCP request at once or as soon as there is CPU time for it. If {@value #MAX_QUEUED} are already waiting
     * it is answered OVERLOADED, which makes the client resend it by HTTP. The short queue keeps the instance busy up
     * to its share; immediate refusals would leave it idle until clients return.
     */
    public void serveTcp(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        if (!enter(request, reply)) {
            return;
        }
        if (cpu.mayServe()) {
            byTcp.increment();
            execute(caller, request, reply);
            return;
        }
        boolean taken = cpu.waiting() < MAX_QUEUED
                && cpu.whenServed(() -> {
                    byTcp.increment();
                    execute(caller, request, reply);
                });
        if (!taken) {
            overloaded.increment();
            reply.accept(refusal(
                    ErrorCode.OVERLOADED,
                    "this instance has used its CPU share up; send the request by HTTP, which lets the"
                            + " platform scale out"));
            ended();
        }
    }

    /** Serves an HTTP request when there is CPU time for it. */
    public void serveHttp(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        if (!enter(request, reply)) {
            return;
        }
        boolean taken = cpu.whenServed(() -> {
            byHttp.increment();
            execute(caller, request, reply);
        });
        if (!taken) {
            overloaded.increment();
            reply.accept(refusal(
                    ErrorCode.OVERLOADED,
                    CpuShare.MAX_WAITING + " requests wait for this instance's CPU share; repeat later or elsewhere"));
            ended();
        }
    }

    /**
     * Admits and counts a request, or refuses it. Counts first, so that a concurrent close is either seen here or
     * waits.
     */
    private boolean enter(OperationRequest request, Consumer<OperationReply> reply) {
        underWay.incrementAndGet();
        if (request.attempt() > 1) {
            retries.increment();
        }
        if (leaving) {
            reply.accept(refusal(ErrorCode.NOT_READY, "this instance is leaving; send the request to another"));
            ended();
            return false;
        }
        return true;
    }

    private void execute(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        TraceParent trace = request.trace();
        Traced span = trace == null
                ? null
                : Tracing.process()
                        .below(
                                trace,
                                Tracing.Part.NAMENODE,
                                request.operation().kind().label());
        Execution execution = new Execution(span == null ? reply : ending(span, reply));
        try {
            executor.execute(caller, span == null ? request : request.below(span.context()), execution);
        } catch (RuntimeException failure) {
            execution.accept(new OperationReply(deployment, epoch.getAsLong(), false, Reply.Failure.of(failure)));
        }
    }

    private static Consumer<OperationReply> ending(Traced span, Consumer<OperationReply> reply) {
        return answer -> {
            span.end(
                    answer.reply() instanceof Reply.Failure failure
                            ? failure.code().name()
                            : null);
            reply.accept(answer);
        };
    }

    /** Returns a refusal by this instance. */
    public OperationReply refusal(ErrorCode code, String message) {
        return new OperationReply(deployment, epoch.getAsLong(), false, new Reply.Failure(code, message));
    }

    /** Returns {@link CpuShare#ofShare}. */
    public double ofCpuShare() {
        return cpu.ofShare();
    }

    /** Returns {@link CpuShare#ofSteadyCost}. */
    public double ofSteadyCost() {
        return cpu.ofSteadyCost();
    }

    /** Refuses all further requests. Idempotent. */
    public void close() {
        underWay.incrementAndGet();
        leaving = true;
        ended();
    }

    /** Admits requests again once drained. Does nothing if open. Must not overlap {@link #close}. */
    public void open() {
        if (leaving) {
            // In this order, so that late completions do not count for the next round.
            leaving = false;
            drained = new CompletableFuture<>();
        }
    }

    private void ended() {
        if (underWay.decrementAndGet() == 0 && leaving) {
            drained.complete(null);
        }
    }

    /** Completes when the gate is closed and all admitted requests have been answered. */
    public CompletionStage<Void> drained() {
        return drained.minimalCompletionStage();
    }

    /** Returns the number of requests admitted and not yet answered. */
    public int underWay() {
        return underWay.get();
    }

    /** Returns the number of requests admitted by TCP. */
    public long byTcp() {
        return byTcp.sum();
    }

    /** Returns the number of requests admitted by HTTP. */
    public long byHttp() {
        return byHttp.sum();
    }

    /** Returns the number of requests that are client retries, including refused ones. */
    public long retries() {
        return retries.sum();
    }

    /** Returns the number of requests refused for lack of CPU time. */
    public long overloaded() {
        return overloaded.sum();
    }

    /** One metered execution; accepts only the first reply. */
    private final class Execution extends AtomicBoolean implements Consumer<OperationReply> {
        private static final long serialVersionUID = 1L;

        private final transient Consumer<OperationReply> reply;

        Execution(Consumer<OperationReply> reply) {
            this.reply = reply;
            meter.begin();
        }

        @Override
        public void accept(OperationReply answer) {
            if (compareAndSet(false, true)) {
                try {
                    reply.accept(answer);
                } finally {
                    meter.end();
                    ended();
                }
            }
        }
    }
}
