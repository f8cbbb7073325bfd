package io.lambdafs.door.hdfs.metrics;

import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The numbers of a door, and the pages {@code /metrics} and {@code /healthz} that show them. Thread-safe. */
public final class DoorMetrics implements HttpHandler {
    private static final long HEALTH_SECONDS = 1;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter written = bytes("lambdafs.door.written", "bytes of contents taken from clients");
    private final Counter read = bytes("lambdafs.door.read", "bytes of contents sent to clients");
    private final Supplier<CompletionStage<?>> reach;
    private CompletableFuture<String> asked = CompletableFuture.completedFuture("");
    private volatile String failure = "";

    /** @param reach asks the cluster for something small */
    public DoorMetrics(Supplier<CompletionStage<?>> reach) {
        this.reach = reach;
    }

    private Counter bytes(String name, String description) {
        return Counter.builder(name).baseUnit("bytes").description(description).register(registry);
    }

    /** Adds the count of the connections on which clients make calls. */
    public void watchConnections(IntSupplier connections) {
        gauge("lambdafs.door.connections", connections, "connections on which clients make calls");
    }

    /** Adds the count of the streams of contents that are open. */
    public void watchStreams(IntSupplier streams) {
        gauge("lambdafs.door.streams", streams, "connections and calls that carry contents");
    }

    /** Adds the count of the files that are being written. */
    public void watchFiles(IntSupplier files) {
        gauge("lambdafs.door.files", files, "files that are being written");
    }

    private void gauge(String name, IntSupplier count, String description) {
        Gauge.builder(name, count::getAsInt).description(description).register(registry);
    }

    /**
     * Counts a call that was answered.
     *
     * @param call one of a set that no client chooses
     */
    public void answered(String call, long nanos) {
        Timer.builder("lambdafs.door.calls")
                .tag("call", call.toLowerCase(Locale.ROOT))
                .description("calls, from the request to the answer")
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a call, or a block, that was refused or failed. */
    public void failed(Throwable why) {
        Counter.builder("lambdafs.door.failures")
                .tag("kind", why.getClass().getSimpleName())
                .description("calls and blocks that were refused or failed")
                .register(registry)
                .increment();
    }

    public void wrote(int bytes) {
        written.increment(bytes);
    }

    public void read(int bytes) {
        read.increment(bytes);
    }

    /** Answers at once: by the last answer that the cluster gave, while it takes its time for another. */
    private CompletionStage<HttpReply> health() {
        return ask().copy()
                .completeOnTimeout(failure, HEALTH_SECONDS, TimeUnit.SECONDS)
                .thenApply(why -> why.isEmpty()
                        ? HttpReply.text(200, "ok\n")
                        : HttpReply.text(503, "the cluster does not answer: " + why + "\n"));
    }

    /** Asks the cluster, unless a question is under way; returns why it does not answer, empty if it does. */
    private synchronized CompletableFuture<String> ask() {
        if (asked.isDone()) {
            asked = reach.get()
                    .handle((answer, problem) -> noted(problem == null ? "" : String.valueOf(problem.getMessage())))
                    .toCompletableFuture();
        }
        return asked;
    }

    private String noted(String why) {
        failure = why;
        return why;
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        return switch (call.path()) {
            case "/metrics" -> CompletableFuture.completedFuture(HttpReply.text(200, registry.scrape()));
            case "/healthz" -> health();
            default ->
                CompletableFuture.completedFuture(
                        HttpReply.text(404, "no such page; there are /metrics and /healthz\n"));
        };
    }
}
