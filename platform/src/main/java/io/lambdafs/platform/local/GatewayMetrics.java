package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.Outcome;
import io.lambdafs.platform.local.pool.StartKind;
import io.lambdafs.platform.local.pool.UsageView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The gateway's metrics for Prometheus. Thread-safe. */
final class GatewayMetrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);
    private final Map<StartKind, Counter> starts = new EnumMap<>(StartKind.class);
    private final Timer wait;
    private final MultiGauge instances;
    private final MultiGauge queued;

    GatewayMetrics() {
        for (Outcome each : Outcome.values()) {
            outcomes.put(
                    each,
                    counter(
                            "lambdafs.gateway.activations",
                            "activations that have ended, by outcome",
                            "outcome",
                            each));
        }
        for (StartKind each : StartKind.values()) {
            starts.put(
                    each,
                    counter("lambdafs.gateway.starts", "activations by how their instance was found", "kind", each));
        }
        wait = Timer.builder("lambdafs.gateway.wait")
                .description("from the arrival of an invocation until an instance takes it")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(60))
                .register(registry);
        instances = MultiGauge.builder("lambdafs.gateway.instances")
                .description("instances of each deployment")
                .register(registry);
        queued = MultiGauge.builder("lambdafs.gateway.queued")
                .description("invocations queued for an instance")
                .register(registry);
    }

    private Counter counter(String name, String help, String tag, Enum<?> value) {
        return Counter.builder(name)
                .description(help)
                .tag(tag, value.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Adds the metrics read from the pool on request. */
    void watch(InstancePool pool) {
        Gauge.builder("lambdafs.gateway.memory.used", pool, p ->
                        (double) (((long) p.usage().memoryUsedMb()) << 20))
                .description("memory that running instances are charged with")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("lambdafs.gateway.prewarmed", pool, p -> p.usage().prewarmed())
                .description("processes kept started for the next instance")
                .register(registry);
        FunctionCounter.builder(
                        "lambdafs.gateway.billed", pool, p -> p.usage().total().billedMillis())
                .description("milliseconds in which an instance served an HTTP or TCP request, over all instances")
                .baseUnit("milliseconds")
                .register(registry);
    }

    void ended(Activation activation) {
        count(outcomes, activation.outcome());
        if (!activation.instanceId().isEmpty()) {
            count(starts, activation.startKind());
        }
        wait.record(activation.waitMillis(), TimeUnit.MILLISECONDS);
    }

    private static <E extends Enum<E>> void count(Map<E, Counter> counters, E key) {
        Counter counter = counters.get(key);
        if (counter != null) {
            counter.increment();
        }
    }

    /** Counts a call refused before it became an activation. */
    void refused(int status) {
        Counter.builder("lambdafs.gateway.refused")
                .description("calls refused before they became activations, by status")
                .tag("status", Integer.toString(status))
                .register(registry)
                .increment();
    }

    ObjectNode outcomes() {
        return counts(outcomes);
    }

    ObjectNode starts() {
        return counts(starts);
    }

    private static ObjectNode counts(Map<? extends Enum<?>, Counter> counters) {
        ObjectNode node = Json.object();
        counters.forEach((key, counter) -> node.put(key.name().toLowerCase(Locale.ROOT), (long) counter.count()));
        return node;
    }

    /** Returns the page for Prometheus. */
    String page(UsageView usage) {
        List<MultiGauge.Row<?>> instanceRows = new ArrayList<>();
        List<MultiGauge.Row<?>> queuedRows = new ArrayList<>();
        usage.deployments().forEach((name, share) -> {
            Tags tags = Tags.of("deployment", name);
            instanceRows.add(MultiGauge.Row.of(tags, share.instances()));
            queuedRows.add(MultiGauge.Row.of(tags, share.queued()));
        });
        instances.register(instanceRows, true);
        queued.register(queuedRows, true);
        return registry.scrape();
    }

    void close() {
        registry.close();
    }
}
