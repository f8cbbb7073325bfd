package io.lambdafs.functions.metrics;

import io.lambdafs.functions.cache.CacheStats;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.serving.BillingMeter;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.RequestGate;
import io.lambdafs.model.ErrorCode;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * An instance's Prometheus metrics, via Micrometer. The registry is created on first use of the page, because creating
 * it takes longer than a cold start may. Thread-safe.
 */
public final class FunctionMetrics {
    /** Milliseconds during which at least one request was served, as pay-per-use bills them. */
    public static final String BILLED = "lambdafs_billed_milliseconds_total";

    /** The sources of the metrics. */
    public record Sources(
            OperationStatistics operations,
            PathTrie trie,
            InFlight inFlight,
            RequestGate gate,
            BillingMeter meter,
            ClientConnections clients) {}

    private final Sources sources;
    private final Tags tags;
    private @Nullable PrometheusMeterRegistry registry;

    /**
     * Creates the metrics without collecting any yet.
     *
     * @param deployment attached to every metric as a label
     */
    public FunctionMetrics(Sources sources, int deployment) {
        this.sources = sources;
        this.tags = Tags.of("deployment", Integer.toString(deployment));
    }

    /** Returns the page in Prometheus' text format. */
    public String page() {
        return registry().scrape();
    }

    private synchronized PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry known = registry;
        if (known == null) {
            known = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            known.getPrometheusRegistry().register(new Histograms());
            serving(known);
            cache(known);
            listings(known);
            operations(known);
            registry = known;
        }
        return known;
    }

    private void serving(PrometheusMeterRegistry to) {
        counter(
                to,
                "lambdafs.billed.milliseconds",
                "milliseconds in which at least one request was served",
                sources.meter(),
                BillingMeter::billedMillis);
        counter(
                to,
                "lambdafs.requests",
                "requests by the transport that brought them",
                sources.gate(),
                RequestGate::byTcp,
                "transport",
                "tcp");
        counter(
                to,
                "lambdafs.requests",
                "requests by the transport that brought them",
                sources.gate(),
                RequestGate::byHttp,
                "transport",
                "http");
        counter(
                to,
                "lambdafs.retries",
                "requests that were not a call's first attempt",
                sources.gate(),
                RequestGate::retries);
        counter(
                to,
                "lambdafs.overloaded",
                "TCP requests refused because the CPU share was used up",
                sources.gate(),
                RequestGate::overloaded);
        gauge(
                to,
                "lambdafs.requests.under.way",
                "requests admitted and not yet answered",
                sources.gate(),
                RequestGate::underWay);
        gauge(
                to,
                "lambdafs.cpu.of.share",
                "CPU time since the page was last read, as a multiple of the instance's share; 0 without a limit",
                sources.gate(),
                RequestGate::ofCpuShare);
        gauge(
                to,
                "lambdafs.cost.of.steady",
                "CPU time per operation of late, as a multiple of the steady one; 0 without a limit",
                sources.gate(),
                RequestGate::ofSteadyCost);
        gauge(
                to,
                "lambdafs.operations.in.flight",
                "operations between their first look-up and their reply",
                sources.inFlight(),
                InFlight::count);
        gauge(
                to,
                "lambdafs.client.connections",
                "connections to clients' TCP servers",
                sources.clients(),
                ClientConnections::count);
    }

    private void cache(PrometheusMeterRegistry to) {
        gauge(
                to,
                "lambdafs.cache.bytes",
                "bytes that the metadata cache is charged with",
                sources.trie(),
                trie -> trie.stats().bytes());
        gauge(
                to,
                "lambdafs.cache.inodes",
                "INodes in the cache",
                sources.trie(),
                trie -> trie.stats().inodes());
        gauge(
                to,
                "lambdafs.cache.listings",
                "complete listings in the cache",
                sources.trie(),
                trie -> trie.stats().listings());
        cacheCounter(to, "lambdafs.cache.evictions", "INodes and listings evicted for room", CacheStats::evictions);
        cacheCounter(to, "lambdafs.cache.invalidated.paths", "paths invalidated by INVs", CacheStats::invalidatedPaths);
        cacheCounter(
                to, "lambdafs.cache.voided.fills", "fills voided before they were published", CacheStats::voidedFills);
        cacheCounter(
                to,
                "lambdafs.cache.refused.fills",
                "fills refused because their path was held by a write",
                CacheStats::refusedFills);
        for (OperationStatistics.Role role : OperationStatistics.Role.values()) {
            String name = role.name().toLowerCase(Locale.ROOT);
            counter(
                    to,
                    "lambdafs.cache.hits",
                    "look-ups answered from the cache; listings: without reading the directory",
                    sources.operations(),
                    s -> s.hits(role),
                    "role",
                    name);
            counter(
                    to,
                    "lambdafs.cache.misses",
                    "look-ups that read the store; listings: the directory",
                    sources.operations(),
                    s -> s.misses(role),
                    "role",
                    name);
        }
    }

    private void listings(PrometheusMeterRegistry to) {
        for (Telemetry.Listed from : Telemetry.Listed.values()) {
            counter(
                    to,
                    "lambdafs.listings",
                    "pages of directories: from the cache, with changed names reread, filled from the store, uncached",
                    sources.operations(),
                    s -> s.pages(from),
                    "from",
                    from.name().toLowerCase(Locale.ROOT));
        }
    }

    private void operations(PrometheusMeterRegistry to) {
        counter(
                to,
                "lambdafs.invalidations.sent",
                "INVs sent to other instances",
                sources.operations(),
                OperationStatistics::invalidationsSent);
        counter(
                to,
                "lambdafs.reclaimed.rows",
                "rows of removed directories that were reclaimed",
                sources.operations(),
                OperationStatistics::reclaimedRows);
        counter(
                to,
                "lambdafs.fenced",
                "epochs of other instances, which had gone or did not answer, that this one ended",
                sources.operations(),
                OperationStatistics::othersFenced);
        for (ErrorCode code : ErrorCode.values()) {
            counter(
                    to,
                    "lambdafs.failures",
                    "operations that failed, by error code and kind: refusal, passing or fault",
                    sources.operations(),
                    s -> s.failures(code),
                    "code",
                    code.name(),
                    "kind",
                    code.kind().name().toLowerCase(Locale.ROOT));
        }
    }

    private void cacheCounter(
            PrometheusMeterRegistry to, String name, String help, ToDoubleFunction<CacheStats> value) {
        counter(to, name, help, sources.trie(), trie -> value.applyAsDouble(trie.stats()));
    }

    private <T> void counter(
            PrometheusMeterRegistry to,
            String name,
            String help,
            T source,
            ToDoubleFunction<T> value,
            String... labels) {
        FunctionCounter.builder(name, source, value)
                .description(help)
                .tags(tags.and(labels))
                .register(to);
    }

    private <T> void gauge(PrometheusMeterRegistry to, String name, String help, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value)
                .description(help)
                .tags(tags)
                .strongReference(true)
                .register(to);
    }

    /** Exposes the histograms, which live outside Micrometer so that recording needs no registry. */
    private final class Histograms implements MultiCollector {
        @Override
        public MetricSnapshots collect() {
            HistogramSnapshot.Builder operations = HistogramSnapshot.builder()
                    .name("lambdafs_operation_seconds")
                    .help("Time from the admission of an operation to its reply");
            sources.operations().latencies().forEach((kind, histogram) -> {
                if (histogram.count() > 0) {
                    operations.dataPoint(
                            histogram.snapshot(labels("operation", kind.name().toLowerCase(Locale.ROOT))));
                }
            });
            HistogramSnapshot.Builder rounds = HistogramSnapshot.builder()
                    .name("lambdafs_invalidation_round_seconds")
                    .help("How long a writer waited for the acknowledgements of a round")
                    .dataPoint(sources.operations().rounds().snapshot(labels("kind", "inode")))
                    .dataPoint(sources.operations().subtreeRounds().snapshot(labels("kind", "subtree")));
            return MetricSnapshots.of(operations.build(), rounds.build(), users());
        }

        /** Returns a gauge, for it must not outlive the instance, and a user's count is dropped for another's. */
        private GaugeSnapshot users() {
            GaugeSnapshot.Builder users = GaugeSnapshot.builder()
                    .name("lambdafs_user_operations")
                    .help("Operations of the users who are counted by name, since each of them is");
            sources.operations()
                    .users()
                    .read((user, kind, operations) -> users.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                            .labels(Labels.of(
                                    "user", user, "operation", kind.name().toLowerCase(Locale.ROOT)))
                            .value((double) operations)
                            .build()));
            return users.build();
        }

        private Labels labels(String name, String value) {
            return Labels.of("deployment", tags.iterator().next().getValue(), name, value);
        }
    }
}
