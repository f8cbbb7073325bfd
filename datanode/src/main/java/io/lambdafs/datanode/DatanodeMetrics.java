package io.lambdafs.datanode;

import io.lambdafs.datanode.cache.CachedBlockStore;
import io.lambdafs.datanode.server.DatanodeServer;
import io.lambdafs.datanode.server.TransferObserver;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The numbers of a datanode, and the pages {@code /metrics} and {@code /healthz} that show them. Thread-safe. */
final class DatanodeMetrics implements TransferObserver, HttpHandler {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter written = bytes("lambdafs.datanode.written", "bytes of blocks taken from clients");
    private final Counter read = bytes("lambdafs.datanode.read", "bytes of blocks sent to clients");
    private final Timer reads = timer("lambdafs.datanode.reads", "reads of a range, from the request to its answer");
    private final Timer blocks = timer("lambdafs.datanode.blocks", "making a block durable");
    private final Map<ErrorCode, Counter> failures = new EnumMap<>(ErrorCode.class);
    private volatile @Nullable Heartbeats heartbeats;

    DatanodeMetrics() {
        for (ErrorCode code : ErrorCode.values()) {
            failures.put(
                    code,
                    Counter.builder("lambdafs.datanode.failures")
                            .tag("code", code.label())
                            .description("requests that were refused or failed")
                            .register(registry));
        }
    }

    private Counter bytes(String name, String description) {
        return Counter.builder(name).baseUnit("bytes").description(description).register(registry);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .publishPercentileHistogram()
                .register(registry);
    }

    /** Adds the server's own counts. */
    void watch(DatanodeServer server) {
        Gauge.builder("lambdafs.datanode.streams", server, DatanodeServer::openStreams)
                .description("blocks that are being written")
                .register(registry);
        Gauge.builder("lambdafs.datanode.buffer.free", server, DatanodeServer::freeBufferBytes)
                .baseUnit("bytes")
                .description("memory that further writes may take")
                .register(registry);
    }

    /** Adds the block cache's counts. */
    void watch(CachedBlockStore cache) {
        FunctionCounter.builder("lambdafs.datanode.cache.hits", cache, CachedBlockStore::hits)
                .description("reads of the block store that a copy answered")
                .register(registry);
        FunctionCounter.builder("lambdafs.datanode.cache.misses", cache, CachedBlockStore::misses)
                .description("reads of the block store that no copy answered")
                .register(registry);
        Gauge.builder("lambdafs.datanode.cache", cache, CachedBlockStore::usedBytes)
                .baseUnit("bytes")
                .description("what copies take of the disk")
                .register(registry);
    }

    /** Lets {@code /healthz} report a failing heartbeat: the metadata store or the block store does not answer. */
    void watch(Heartbeats of) {
        heartbeats = of;
    }

    private HttpReply health() {
        Heartbeats watched = heartbeats;
        String why = watched == null ? null : watched.failure();
        return why == null ? HttpReply.text(200, "ok\n") : HttpReply.text(503, "no heartbeat: " + why + "\n");
    }

    @Override
    public void wrote(int bytes) {
        written.increment(bytes);
    }

    @Override
    public void finished(long nanos) {
        blocks.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void read(int bytes, long nanos) {
        read.increment(bytes);
        reads.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void failed(ErrorCode code) {
        Counter counter = failures.get(code);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        return CompletableFuture.completedFuture(
                switch (call.path()) {
                    case "/metrics" -> HttpReply.text(200, registry.scrape());
                    case "/healthz" -> health();
                    default -> HttpReply.text(404, "no such page; there are /metrics and /healthz\n");
                });
    }
}
