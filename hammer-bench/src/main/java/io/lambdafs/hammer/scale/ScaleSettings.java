package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.workload.Arrivals;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.OperationMix;
import io.lambdafs.hammer.workload.Workload;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The settings of a simulation; {@code scale.yaml} documents each value and its source. Immutable.
 *
 * @param values all of them by {@code section.key}, for reports
 */
record ScaleSettings(
        Workload workload,
        Namespace namespace,
        Clients clients,
        Platform platform,
        Instance instance,
        Service service,
        Store store,
        Network network,
        Machine machine,
        Map<String, Double> values) {

    private static final String MICROS = "-us";
    private static final String MILLIS = "-ms";
    /** Times of an instance's code, which service.factor multiplies. */
    private static final Set<String> IN_INSTANCE = Set.of(
            "service.read-us",
            "service.stat-us",
            "service.list-us",
            "service.create-us",
            "service.rename-us",
            "service.delete-us",
            "service.miss-us",
            "service.inv-send-us",
            "service.inv-take-us",
            "service.http-instance-us");

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Directories of equal size. */
    record Namespace(int directories, int filesPerDirectory, double zipf, double hotShare) {}

    /** Processes that generate the load. */
    record Clients(
            int processes,
            int processors,
            int window,
            double httpProbability,
            int replacements,
            int httpInFlight,
            boolean stragglers,
            boolean antiThrashing,
            boolean coldCache) {}

    /** The function platform. */
    record Platform(
            int deployments,
            double vcpu,
            int maxInstances,
            long keepAliveMillis,
            int startConcurrency,
            int prewarm,
            double coldStartMillis,
            double coldStartP90Millis,
            double warmStartMillis,
            double startCpuMillis,
            double compileCpuMillis,
            int gatewayProcessors) {
        Duration keepAlive() {
            return Duration.ofMillis(keepAliveMillis);
        }
    }

    /** One instance of a function. */
    record Instance(double vcpu, int memoryMb, int concurrency, int cacheEntries, int maxInFlight) {}

    /** Processor times, nanoseconds. */
    record Service(
            long clientNanos,
            long readNanos,
            long statNanos,
            long listNanos,
            long createNanos,
            long renameNanos,
            long deleteNanos,
            long missNanos,
            long invSendNanos,
            long invTakeNanos,
            long httpClientNanos,
            long httpGatewayNanos,
            long httpInstanceNanos,
            long coordinatorNanos,
            double coldFactor,
            double coldOps,
            double spread) {
        /** Returns the factor by which an instance's code is slower after this many operations than when it is warm. */
        double coldness(long operations) {
            return 1 + (coldFactor - 1) * Math.exp(-operations / coldOps);
        }

        /** Draws a time with this mean. */
        long around(long nanos, RandomGenerator random) {
            return (long) (nanos * (1 - spread - spread * Math.log(1 - random.nextDouble())));
        }
    }

    /** The store. */
    record Store(int shards, int processors, long readNanos, long rowNanos, long commitNanos, long syncNanos) {}

    /**
     * One machine for all processes.
     *
     * @param processors 0 if each process has its own
     * @param others share of the processors that other programs take
     * @param sliceNanos length of each of their slices
     */
    record Machine(int processors, double others, long sliceNanos) {}

    /** The network between processes. */
    record Network(long roundTripNanos, long jitterNanos) {}

    static ScaleSettings of(Map<String, Double> values, long seed) {
        ObjectNode sections = JSON.createObjectNode();
        values.forEach((key, value) -> {
            int dot = key.indexOf('.');
            double unit = IN_INSTANCE.contains(key) ? number(values, "service.factor") : 1;
            put(sections.withObject(key.substring(0, dot)), key.substring(dot + 1), unit * value);
        });
        return new ScaleSettings(
                workload(values, seed),
                section(sections, "namespace", Namespace.class),
                section(sections, "clients", Clients.class),
                section(sections, "platform", Platform.class),
                section(sections, "instance", Instance.class),
                section(sections, "service", Service.class),
                section(sections, "store", Store.class),
                section(sections, "network", Network.class),
                section(sections, "machine", Machine.class),
                values);
    }

    /** Puts a value under the name of its component: times in µs become nanoseconds. */
    private static void put(ObjectNode section, String key, double value) {
        if (key.endsWith(MICROS)) {
            section.put(key.substring(0, key.length() - MICROS.length()) + "-nanos", Math.round(value * 1e3));
        } else {
            String name = key.endsWith(MILLIS) ? key.substring(0, key.length() - MILLIS.length()) + "-millis" : key;
            if (value == Math.rint(value)) {
                section.put(name, (long) value);
            } else {
                section.put(name, value);
            }
        }
    }

    private static <T> T section(ObjectNode sections, String name, Class<T> type) {
        try {
            return JSON.treeToValue(sections.path(name), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("scale.yaml lacks a value of " + name + ": " + e.getOriginalMessage(), e);
        }
    }

    private static Workload workload(Map<String, Double> values, long seed) {
        return new Workload(
                OperationMix.SPOTIFY,
                number(values, "workload.step") > 0 ? LoadShape.STEP : LoadShape.BURSTS,
                Arrivals.POISSON,
                Duration.ofNanos((long) (number(values, "workload.seconds") * 1e9)),
                number(values, "workload.base-ops"),
                number(values, "workload.burst-factor"),
                number(values, "namespace.zipf"),
                seed);
    }

    private static double number(Map<String, Double> values, String key) {
        Double value = values.get(key);
        if (value == null) {
            throw new IllegalStateException("scale.yaml has no " + key);
        }
        return value;
    }

    /** Returns the number of instances for which the platform has processors. */
    int mostInstances() {
        return Math.max(1, (int) (platform.vcpu / instance.vcpu));
    }
}
