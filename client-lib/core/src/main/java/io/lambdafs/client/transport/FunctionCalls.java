package io.lambdafs.client.transport;

import io.lambdafs.client.http.HttpGate;
import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.client.runtime.ClusterConnections;
import io.lambdafs.client.tcp.Credentials;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.OperationReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP half of the hybrid transport: calls a function for a request that has entered its {@link HttpGate}. An
 * attempt times out, but its call continues up to a limit: if cut off, it would have started an instance in vain, and
 * the next call would wait from the beginning. A late reply is used if the request is still waiting. Thread-safe.
 */
public final class FunctionCalls {
    private final ClusterConnections cluster;
    private final boolean offersTcp;
    private final Invoker invoker;
    private final Credentials credentials;
    private final Scheduler scheduler;
    private final long limitNanos;
    private final Reach reach;

    /** @param limit maximum duration of a call */
    public FunctionCalls(HybridTransport.Context context, Duration limit) {
        this.cluster = context.cluster();
        this.offersTcp = context.server() != null;
        this.invoker = context.invoker();
        this.credentials = context.credentials();
        this.scheduler = context.scheduler();
        this.limitNanos = limit.toNanos();
        this.reach = new Reach(context.scheduler());
    }

    /** Returns whether any call has reached the platform. */
    boolean haveReached() {
        return invoker.hasReached();
    }

    /**
     * Makes the call of an attempt, reporting its outcome on a reply or timeout.
     *
     * @param gate already entered
     */
    public void call(Attempt attempt, HttpGate gate, long attemptNanos) {
        call(
                attempt,
                gate,
                attemptNanos,
                () -> attempt.failed(new FsException(
                        ErrorCode.TIMED_OUT, "the function did not answer by HTTP within the time of an attempt")));
    }

    /** @param overdue reports the outcome of the attempt on timeout; a later reply is a late answer */
    public void call(Attempt attempt, HttpGate gate, long attemptNanos, Runnable overdue) {
        try {
            new Running(gate, invocation(attempt.deployment(), attempt), attempt, overdue).start(attemptNanos);
        } catch (FsException refused) {
            // This process has no timers left.
            gate.left(false, false);
            attempt.failed(refused);
        }
    }

    /** Wakes an instance unless one connects meanwhile. */
    public CompletionStage<Void> wake(int deployment) {
        HttpGate gate = cluster.gate(deployment);
        return gate.enter(limitNanos).thenCompose(pass -> {
            if (pass == HttpGate.Pass.TCP) {
                return CompletableFuture.completedFuture(null);
            }
            return invoke(invocation(deployment, null))
                    .whenComplete((reply, thrown) -> gate.left(thrown == null, false))
                    .thenApply(FunctionCalls::awake);
        });
    }

    private static @Nullable Void awake(Optional<OperationReply> reply) {
        if (reply.isPresent() && reply.get().reply() instanceof Reply.Failure refused) {
            throw refused.toException();
        }
        return null;
    }

    private CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        try {
            CompletionStage<Optional<OperationReply>> called = invoker.invoke(invocation);
            if (!invocation.tcp().isEmpty()) {
                called.thenRun(() -> reach.answered(invocation.tcp().get(0)));
            }
            return called;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Invocation invocation(int deployment, @Nullable Attempt attempt) {
        boolean offers = offersTcp && reach.mayOffer(cluster.connections() > 0);
        return new Invocation(
                deployment,
                attempt == null ? null : attempt.requestByHttp(),
                credentials.token(),
                offers ? cluster.offers(deployment) : List.of(),
                cluster.gate(deployment).isConnected() && (attempt == null || !attempt.isOneTooMany()),
                limitNanos);
    }

    /** A call in progress for an attempt. */
    private final class Running {
        private final HttpGate gate;
        private final Invocation invocation;
        private final Attempt attempt;
        private final Runnable overdue;
        // Guarded by this.
        private boolean isOverdue;
        private boolean hasEnded;

        Running(HttpGate gate, Invocation invocation, Attempt attempt, Runnable overdue) {
            this.gate = gate;
            this.invocation = invocation;
            this.attempt = attempt;
            this.overdue = overdue;
        }

        void start(long attemptNanos) {
            Scheduler.Timer timer = scheduler.schedule(attemptNanos, this::attemptIsOver);
            invoke(invocation).whenComplete((reply, thrown) -> {
                timer.cancel();
                ended(thrown == null ? reply.orElse(null) : null, thrown);
            });
        }

        private void attemptIsOver() {
            synchronized (this) {
                if (hasEnded) {
                    return;
                }
                isOverdue = true;
            }
            gate.overdue();
            overdue.run();
        }

        private void ended(@Nullable OperationReply answer, @Nullable Throwable thrown) {
            boolean late;
            synchronized (this) {
                hasEnded = true;
                late = isOverdue;
            }
            gate.left(thrown == null, late);
            if (answer == null) {
                failed(thrown, late);
                return;
            }
            cluster.answeredBy(invocation.deployment(), answer.epoch(), invocation.tcp());
            if (late) {
                attempt.outcome().answeredLate(attempt, answer);
            } else {
                attempt.outcome().answered(attempt, answer);
            }
        }

        private void failed(@Nullable Throwable thrown, boolean late) {
            if (!late) {
                attempt.failed(
                        thrown == null
                                ? new FsException(ErrorCode.INTERNAL, "the function answered without a reply")
                                : FsException.of(thrown));
            }
        }
    }
}
