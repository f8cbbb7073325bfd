package io.lambdafs.client.transport;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.http.HttpGate;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.runtime.ClusterConnections;
import io.lambdafs.client.tcp.Credentials;
import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The hybrid HTTP/TCP transport (the paper's §3.2 and §3.4). It sends an attempt of a request over a TCP connection
 * that an instance of the deployment opened to this process; with a small probability, or without a connection, it
 * calls the function by HTTP, which makes the platform scale. A request refused as excess by a connection or instance
 * goes by HTTP at once, because short TCP calls alone would never fill a platform's concurrency limit. Stragglers are
 * also sent elsewhere ({@link Stragglers}), and in {@link AntiThrashing} mode any connection is preferred to HTTP.
 * Thread-safe.
 */
public final class HybridTransport {
    private final ClusterConnections cluster;
    private final @Nullable TcpServer server;
    private final FunctionCalls calls;
    private final Credentials credentials;
    private final Scheduler scheduler;
    private final ClientMetrics metrics;
    private final double httpProbability;
    private final Stragglers stragglers;
    private final AntiThrashing thrashing;

    /** The dependencies of a transport, shared and private. */
    public record Context(
            ClusterConnections cluster,
            @Nullable TcpServer server,
            Invoker invoker,
            Credentials credentials,
            Scheduler scheduler,
            ClientMetrics metrics) {}

    private volatile boolean contacted;

    public HybridTransport(Context context, FunctionCalls calls, ClientConfig config) {
        this.cluster = context.cluster();
        this.server = context.server();
        this.calls = calls;
        this.credentials = context.credentials();
        this.scheduler = context.scheduler();
        this.metrics = context.metrics();
        this.httpProbability = config.http().probability();
        this.stragglers = new Stragglers(config.stragglers(), scheduler, metrics);
        this.thrashing = new AntiThrashing(config.antiThrashing(), scheduler, metrics, cluster::release);
    }

    /** Returns the placement known to this process. */
    public Placement placement() {
        return cluster.placement();
    }

    /** Applies a placement reported by an instance. */
    public void resized(Placement told) {
        cluster.resized(told);
    }

    public AntiThrashing thrashing() {
        return thrashing;
    }

    /**
     * Returns whether a call of this client has ever reached the platform, or an instance is connected or was when last
     * checked.
     */
    public boolean hasContact() {
        return contacted || calls.haveReached() || cluster.connections() > 0;
    }

    /** Sends an attempt; its outcome is reported once. */
    public void send(Attempt attempt) {
        InstanceConnection connection = pick(attempt);
        if (connection == null) {
            overHttp(attempt);
        } else if ((isReplaced() || seemsIdle(attempt)) && gate(attempt).tryReplace()) {
            metrics.replacedByHttp();
            callInstead(attempt);
        } else {
            contacted = true;
            overTcp(connection, attempt);
        }
    }

    private @Nullable InstanceConnection pick(Attempt attempt) {
        TcpServer own = server;
        if (own == null) {
            return null;
        }
        Attempt.Route route = attempt.route();
        InstanceConnection found = pick(own, attempt.deployment(), route.avoid());
        return found == null && route.avoid() != 0 && route.sameAgain() ? pick(own, attempt.deployment(), 0) : found;
    }

    private @Nullable InstanceConnection pick(TcpServer own, int deployment, long avoid) {
        InstanceConnection found = cluster.pick(own, deployment, avoid);
        return found == null && thrashing.isOn() ? cluster.pickAny(own, avoid) : found;
    }

    private boolean isReplaced() {
        return httpProbability > 0 && scheduler.random().nextDouble() < httpProbability && !thrashing.isOn();
    }

    /** Returns whether the platform may take the deployment for idle, because it sees no request over TCP. */
    private boolean seemsIdle(Attempt attempt) {
        return httpProbability > 0 && !thrashing.isOn() && gate(attempt).seemsIdle();
    }

    /**
     * Returns whether a request in flight may also be sent elsewhere: to another instance, or by HTTP at the rate of
     * replacements.
     */
    private boolean mayGoElsewhere(Attempt attempt) {
        TcpServer own = server;
        boolean connected = own != null && pick(own, attempt.deployment(), attempt.usedConnection()) != null;
        return connected || (!thrashing.isOn() && gate(attempt).mayReplace());
    }

    private HttpGate gate(Attempt attempt) {
        return cluster.gate(attempt.deployment());
    }

    private long remaining(Attempt attempt) {
        return Math.max(1, attempt.route().endNanos() - scheduler.nanoTime());
    }

    // TCP

    private void overTcp(InstanceConnection connection, Attempt attempt) {
        attempt.goesBy(connection);
        Stragglers.Watch watch = stragglers.watch(attempt, this::mayGoElsewhere);
        int handle = connection.handle(credentials);
        if (handle != InstanceConnection.NONE) {
            request(connection, handle, attempt, watch);
            return;
        }
        connection.bind(credentials, remaining(attempt)).whenComplete((bound, thrown) -> {
            if (thrown == null && !watch.hasEnded()) {
                request(connection, bound, attempt, watch);
            } else if (thrown != null && watch.end()) {
                notBound(connection, FsException.of(thrown), attempt);
            }
        });
    }

    /** Handles a failed bind. A refused fresh token is final, because another would be refused too. */
    private void notBound(InstanceConnection connection, FsException why, Attempt attempt) {
        if (why.code() == ErrorCode.OVERLOADED) {
            overloaded(connection, why, attempt);
        } else {
            attempt.failed(why);
        }
    }

    private void request(InstanceConnection connection, int handle, Attempt attempt, Stragglers.Watch watch) {
        metrics.sentByTcp();
        if (connection.deployment() != attempt.deployment()) {
            metrics.strayed();
        }
        connection
                .connection()
                .request(attempt.request(handle), remaining(attempt))
                .whenComplete((message, thrown) -> {
                    if (watch.end()) {
                        answered(connection, message, thrown, attempt, watch);
                    } else {
                        answeredLate(connection, message, thrown, attempt);
                    }
                });
    }

    private void answered(
            InstanceConnection connection,
            @Nullable Message message,
            @Nullable Throwable thrown,
            Attempt attempt,
            Stragglers.Watch watch) {
        if (message instanceof OperationReply reply) {
            connection.alive();
            if (reply.reply() instanceof Reply.Failure failure && failure.code() == ErrorCode.OVERLOADED) {
                overloaded(connection, failure.toException(), attempt);
            } else {
                connection.served();
                watch.served();
                attempt.outcome().answered(attempt, reply);
            }
        } else if (message instanceof Failed failed) {
            connection.alive();
            refused(connection, failed.toException(), attempt);
        } else if (thrown != null) {
            refused(connection, FsException.of(thrown), attempt);
        } else {
            attempt.failed(new FsException(ErrorCode.INTERNAL, "an instance answered an operation with " + message));
        }
    }

    /**
     * Handles the reply to an attempt given up: what it reveals about the instance still counts, as does a decision.
     */
    private void answeredLate(
            InstanceConnection connection, @Nullable Message message, @Nullable Throwable thrown, Attempt attempt) {
        if (message != null) {
            connection.alive();
        } else if (thrown != null && FsException.of(thrown).code() == ErrorCode.TIMED_OUT) {
            strike(connection);
        }
        if (message instanceof OperationReply reply) {
            attempt.outcome().answeredLate(attempt, reply);
        }
    }

    private void strike(InstanceConnection connection) {
        if (connection.strike()) {
            cluster.giveUp(connection);
        }
    }

    /** Handles a failure over TCP that allows an immediate reaction; the retry policy decides the rest. */
    private void refused(InstanceConnection connection, FsException why, Attempt attempt) {
        switch (why.code()) {
            case OVERLOADED -> overloaded(connection, why, attempt);
            case UNAUTHENTICATED, TOKEN_EXPIRED -> {
                connection.unbind(credentials);
                if (attempt.mayRebind()) {
                    overTcp(connection, attempt);
                } else {
                    attempt.failed(why);
                }
            }
            case TIMED_OUT -> {
                strike(connection);
                attempt.failed(why);
            }
            default -> attempt.failed(why);
        }
    }

    /** Sends a request refused as excess by HTTP, so that the platform sees the load. */
    private void overloaded(InstanceConnection connection, FsException why, Attempt attempt) {
        metrics.overloaded();
        connection.refusedOneTooMany();
        attempt.wasOneTooMany();
        if (!thrashing.isOn() && gate(attempt).tryEnter()) {
            call(attempt, gate(attempt));
        } else {
            attempt.failed(why);
        }
    }

    // HTTP

    private void overHttp(Attempt attempt) {
        attempt.outcome().lingers();
        HttpGate gate = thrashing.isOn() ? cluster.narrowGate() : gate(attempt);
        if (gate.tryEnter()) {
            call(attempt, gate);
            return;
        }
        CompletionStage<HttpGate.Pass> turn;
        try {
            turn = gate.enter(remaining(attempt));
        } catch (FsException refused) {
            // This process has no timers left.
            attempt.failed(refused);
            return;
        }
        turn.whenComplete((pass, thrown) -> {
            if (thrown != null) {
                attempt.failed(FsException.of(thrown));
            } else if (pass == HttpGate.Pass.HTTP) {
                call(attempt, gate);
            } else {
                overNewConnection(attempt);
            }
        });
    }

    private void overNewConnection(Attempt attempt) {
        InstanceConnection connection = pick(attempt);
        if (connection != null) {
            overTcp(connection, attempt);
        } else {
            overHttp(attempt);
        }
    }

    /** Calls the function, after entering the gate. */
    private void call(Attempt attempt, HttpGate gate) {
        goesByHttp(attempt);
        calls.call(attempt, gate, remaining(attempt));
    }

    /**
     * Calls the function for a request that a connection could carry; if the call is slow, for instance due to a cold
     * start, a connection carries it after all.
     */
    private void callInstead(Attempt attempt) {
        long patience = stragglers.patience(attempt);
        if (patience >= remaining(attempt)) {
            call(attempt, gate(attempt));
            return;
        }
        goesByHttp(attempt);
        calls.call(attempt, gate(attempt), patience, () -> {
            metrics.straggled();
            attempt.outcome().straggles(attempt);
        });
    }

    private void goesByHttp(Attempt attempt) {
        attempt.outcome().lingers();
        attempt.goesByHttp();
        metrics.sentByHttp();
    }

    /** Returns whether an instance of a deployment is connected. */
    public boolean isConnected(int deployment) {
        return server != null && cluster.pick(server, deployment, 0) != null;
    }

    /** Wakes an instance of a deployment without a connected one. */
    public CompletionStage<Void> wake(int deployment) {
        if (isConnected(deployment)) {
            return CompletableFuture.completedFuture(null);
        }
        return calls.wake(deployment);
    }
}
