package io.lambdafs.store.server.process;

import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.ServedStore;
import io.lambdafs.store.lock.LockTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The metrics of a store and its pages {@code /metrics} and {@code /healthz}. Thread-safe. */
public final class StoreMetrics implements CommitObserver, HttpHandler {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter commits = Counter.builder("lambdafs.store.commits")
            .description("commits made durable")
            .register(registry);
    private final Counter refused = Counter.builder("lambdafs.store.commits.refused")
            .description("commits that came too late, found no room or could not be written")
            .register(registry);
    private final Counter bytes = Counter.builder("lambdafs.store.written")
            .baseUnit("bytes")
            .description("bytes of commits written to the log")
            .register(registry);
    private final DistributionSummary groups = DistributionSummary.builder("lambdafs.store.group.commits")
            .description("commits per group, that is per fsync")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
            .register(registry);
    private final Timer fsync = Timer.builder("lambdafs.store.fsync")
            .description("write and fsync of one group")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofNanos(50_000))
            .maximumExpectedValue(Duration.ofSeconds(5))
            .register(registry);

    private volatile @Nullable ServedStore store;

    /** Adds the store's own counters and health. */
    public void watch(ServedStore store) {
        this.store = store;
        Gauge.builder("lambdafs.store.serving", store, each -> each.serves() ? 1 : 0)
                .description("1 where this server serves, 0 where it waits to take another one's place")
                .register(registry);
        Gauge.builder("lambdafs.store.transactions.open", store, ServedStore::openTransactions)
                .description("transactions that have begun and not ended")
                .register(registry);
        Gauge.builder(
                        "lambdafs.store.locks.keys",
                        store,
                        s -> s.lockStatistics().keys())
                .description("keys that are locked")
                .register(registry);
        Gauge.builder(
                        "lambdafs.store.locks.waiting",
                        store,
                        s -> s.lockStatistics().waiting())
                .description("requests that wait for a lock")
                .register(registry);
        count(store, "lambdafs.store.locks.waits", "requests that had to wait for a lock", LockTable.Statistics::waits);
        count(store, "lambdafs.store.locks.timeouts", "lock waits that were given up", LockTable.Statistics::timeouts);
        count(
                store,
                "lambdafs.store.locks.deadlocks",
                "requests refused as deadlocks",
                LockTable.Statistics::deadlocks);
        count(
                store,
                "lambdafs.store.locks.wait.seconds",
                "time spent waiting for locks",
                s -> (double) s.waitNanos() / TimeUnit.SECONDS.toNanos(1));
    }

    private void count(
            ServedStore store, String name, String description, ToDoubleFunction<LockTable.Statistics> value) {
        FunctionCounter.builder(name, store, s -> value.applyAsDouble(s.lockStatistics()))
                .description(description)
                .register(registry);
    }

    @Override
    public void group(int size, long written, long nanos) {
        commits.increment(size);
        groups.record(size);
        bytes.increment((double) written);
        fsync.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void failed(int size) {
        refused.increment(size);
    }

    /** Returns the page in Prometheus's text format. */
    public String page() {
        return registry.scrape();
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        return CompletableFuture.completedFuture(
                switch (call.path()) {
                    case "/metrics" -> HttpReply.text(200, page());
                    case "/healthz" -> health();
                    default -> HttpReply.text(404, "no such page; there are /metrics and /healthz\n");
                });
    }

    private HttpReply health() {
        ServedStore watched = store;
        Optional<String> trouble = watched == null ? Optional.empty() : watched.trouble();
        return trouble.isPresent() ? HttpReply.text(503, trouble.get() + "\n") : HttpReply.text(200, "ok\n");
    }
}
