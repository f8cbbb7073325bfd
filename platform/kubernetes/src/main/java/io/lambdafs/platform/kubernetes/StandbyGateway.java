package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.lambdafs.platform.local.GatewayConfig;
import io.lambdafs.platform.local.GatewayProcess;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.tls.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway that starts when it becomes the leader ({@link Leadership}). Until then it answers only Kubernetes's probes
 * at its port. A gateway that has lost the leadership ends its process at once; the next leader takes over its pods.
 * Thread-safe.
 */
final class StandbyGateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyGateway.class);

    private final Start start;
    private final HttpServer waiting;
    private final Leadership leadership;
    private @Nullable GatewayProcess process;
    private boolean closed;

    /** Starts the gateway of the leader. */
    @FunctionalInterface
    interface Start {
        GatewayProcess start() throws IOException;
    }

    private StandbyGateway(Start start, HttpServer waiting, Leadership leadership) {
        this.start = start;
        this.waiting = waiting;
        this.leadership = leadership;
    }

    /**
     * Listens, and begins to wait for the leadership.
     *
     * @throws IOException if the gateway's address is taken
     */
    static StandbyGateway open(
            GatewayConfig config,
            KubernetesClient client,
            Leadership.Candidate candidate,
            Leadership.Times times,
            Start start)
            throws IOException {
        HttpServer waiting = HttpServer.start(
                config.listen(),
                StandbyGateway::answer,
                HttpLimits.defaults(),
                config.tls().map(Tls::of));
        Leadership leadership = Leadership.seek(client, candidate, times, () -> die("does not lead any more"));
        StandbyGateway standby = new StandbyGateway(start, waiting, leadership);
        LOG.info("Waits for the lease {}", candidate.lease());
        leadership.leads().thenRun(() -> new Thread(standby::lead, "lead").start());
        return standby;
    }

    private static CompletionStage<HttpReply> answer(HttpCall call) {
        boolean alive = call.path().equals("/healthz");
        return CompletableFuture.completedFuture(
                alive ? HttpReply.text(200, "waits to lead\n") : HttpReply.text(503, "another gateway leads\n"));
    }

    private synchronized void lead() {
        if (closed) {
            return;
        }
        LOG.info("Leads");
        waiting.close();
        try {
            process = start.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Ends the process, which Kubernetes restarts.
        }
        leadership.takeCalls();
    }

    /** Throws on a separate thread, which no code catches: {@link io.lambdafs.rpc.DeathWatch} halts the process. */
    private static void die(String why) {
        new Thread(
                        () -> {
                            throw new IllegalStateException("the gateway " + why);
                        },
                        "leadership")
                .start();
    }

    /** Ends the gateway and its pods in order, and lets the next one lead. */
    @Override
    public synchronized void close() {
        closed = true;
        if (process == null) {
            waiting.close();
        } else {
            process.close();
        }
        leadership.close();
    }
}
