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
import io.lambdafs.model.Placement;
import io.lambdafs.model.Reply;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.OperationReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Carries one attempt of a request (the paper's §3.2 and §3.4): over a TCP connection that an instance of the deployment opened to
 * this process, and with a small probability, or where there is none, by an HTTP call of the platform, which makes it scale. A
 * request that a connection or instance refuses as one too many goes by HTTP at once: short TCP calls alone would never fill
 * a platform's concurrency limit. What straggles goes elsewhere besides ({@link Stragglers}), and in {@link AntiThrashing} mode
 * any connection is taken before HTTP. Thread-safe.
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

    /** What a client shares with others, and what is its own. */
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

    /** The deployments as far as this process knows. */
    public Placement placement() {
        return cluster.placement();
    }

    /** An instance has told of the deployments. */
    public void resized(Placement told) {
        cluster.resized(told);
    }

    public AntiThrashing thrashing() {
        return thrashing;
    }

    /** Whether a call of this client has ever reached the platform, or an instance is connected or was when it asked. */
    public boolean hasContact() {
        return contacted || calls.haveReached() || cluster.connections() > 0;
    }

    /** Sends an attempt; its outcome is told once. */
    public void send(Attempt attempt) {
        InstanceConnection connection = pick(attempt);
        if (connection == null) {
            overHttp(attempt);
        } else if (isReplaced() && gate(attempt).tryReplace()) {
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

    /** Whether a request may be sent again while it is under way: to another instance, or by HTTP as seldom as what is replaced by it. */
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

    /** A fresh token was refused: another would be too. */
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

    /** Of an attempt that was given up: what it says of the instance counts still, and so does a decision. */
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

    /** What to do at once about a failure over TCP; everything else is the retries' to decide. */
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

    /** One request too many for a connection or its instance: by HTTP, so that the platform sees the load. */
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
            // Timers of this process are at their limit.
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

    /** Calls the function; the gate has been entered. */
    private void call(Attempt attempt, HttpGate gate) {
        goesByHttp(attempt);
        calls.call(attempt, gate, remaining(attempt));
    }

    /** The same for a request that a connection could carry: where the call takes too long, a cold start say, one does after all. */
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

    /** Whether an instance of a deployment is connected. */
    public boolean isConnected(int deployment) {
        return server != null && cluster.pick(server, deployment, 0) != null;
    }

    /** Wakes an instance of a deployment that has none connected. */
    public CompletionStage<Void> wake(int deployment) {
        if (isConnected(deployment)) {
            return CompletableFuture.completedFuture(null);
        }
        return calls.wake(deployment);
    }
}
