package io.lambdafs.hammer.scale;

import io.lambdafs.hammer.Arrivals;
import io.lambdafs.hammer.LoadShape;
import io.lambdafs.hammer.OperationMix;
import io.lambdafs.hammer.Workload;
import java.time.Duration;
import java.util.Map;
import java.util.function.ToDoubleFunction;
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
            Duration keepAlive,
            int startConcurrency,
            int prewarm,
            double coldStartMillis,
            double coldStartP90Millis,
            double warmStartMillis,
            double startCpuMillis,
            double compileCpuMillis,
            int gatewayProcessors) {}

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
        ToDoubleFunction<String> of = key -> {
            Double value = values.get(key);
            if (value == null) {
                throw new IllegalStateException("scale.yaml has no " + key);
            }
            return value;
        };
        double factor = of.applyAsDouble("service.factor");
        ToDoubleFunction<String> inInstance = key -> factor * of.applyAsDouble(key);
        return new ScaleSettings(
                workload(of, seed),
                new Namespace(
                        whole(of, "namespace.directories"),
                        whole(of, "namespace.files-per-directory"),
                        of.applyAsDouble("namespace.zipf"),
                        of.applyAsDouble("namespace.hot-share")),
                new Clients(
                        whole(of, "clients.processes"),
                        whole(of, "clients.processors"),
                        whole(of, "clients.window"),
                        of.applyAsDouble("clients.http-probability"),
                        whole(of, "clients.replacements"),
                        whole(of, "clients.http-in-flight"),
                        of.applyAsDouble("clients.stragglers") > 0,
                        of.applyAsDouble("clients.anti-thrashing") > 0,
                        of.applyAsDouble("clients.cold-cache") > 0),
                platform(of),
                new Instance(
                        of.applyAsDouble("instance.vcpu"),
                        whole(of, "instance.memory-mb"),
                        whole(of, "instance.concurrency"),
                        whole(of, "instance.cache-entries"),
                        whole(of, "instance.max-in-flight")),
                new Service(
                        nanos(of, "service.client-us"),
                        nanos(inInstance, "service.read-us"),
                        nanos(inInstance, "service.stat-us"),
                        nanos(inInstance, "service.list-us"),
                        nanos(inInstance, "service.create-us"),
                        nanos(inInstance, "service.rename-us"),
                        nanos(inInstance, "service.delete-us"),
                        nanos(inInstance, "service.miss-us"),
                        nanos(inInstance, "service.inv-send-us"),
                        nanos(inInstance, "service.inv-take-us"),
                        nanos(of, "service.http-client-us"),
                        nanos(of, "service.http-gateway-us"),
                        nanos(inInstance, "service.http-instance-us"),
                        nanos(of, "service.coordinator-us"),
                        of.applyAsDouble("service.cold-factor"),
                        of.applyAsDouble("service.cold-ops"),
                        of.applyAsDouble("service.spread")),
                new Store(
                        whole(of, "store.shards"),
                        whole(of, "store.processors"),
                        nanos(of, "store.read-us"),
                        nanos(of, "store.row-us"),
                        nanos(of, "store.commit-us"),
                        nanos(of, "store.sync-us")),
                new Network(nanos(of, "network.round-trip-us"), nanos(of, "network.jitter-us")),
                new Machine(
                        whole(of, "machine.processors"),
                        of.applyAsDouble("machine.others"),
                        nanos(of, "machine.slice-us")),
                values);
    }

    private static Workload workload(ToDoubleFunction<String> of, long seed) {
        return new Workload(
                OperationMix.SPOTIFY,
                of.applyAsDouble("workload.step") > 0 ? LoadShape.STEP : LoadShape.BURSTS,
                Arrivals.POISSON,
                Duration.ofNanos((long) (of.applyAsDouble("workload.seconds") * 1e9)),
                of.applyAsDouble("workload.base-ops"),
                of.applyAsDouble("workload.burst-factor"),
                of.applyAsDouble("namespace.zipf"),
                seed);
    }

    private static Platform platform(ToDoubleFunction<String> of) {
        return new Platform(
                whole(of, "platform.deployments"),
                of.applyAsDouble("platform.vcpu"),
                whole(of, "platform.max-instances"),
                Duration.ofMillis(whole(of, "platform.keep-alive-ms")),
                whole(of, "platform.start-concurrency"),
                whole(of, "platform.prewarm"),
                of.applyAsDouble("platform.cold-start-ms"),
                of.applyAsDouble("platform.cold-start-p90-ms"),
                of.applyAsDouble("platform.warm-start-ms"),
                of.applyAsDouble("platform.start-cpu-ms"),
                of.applyAsDouble("platform.compile-cpu-ms"),
                whole(of, "platform.gateway-processors"));
    }

    private static int whole(ToDoubleFunction<String> of, String key) {
        return (int) Math.round(of.applyAsDouble(key));
    }

    private static long nanos(ToDoubleFunction<String> of, String key) {
        return Math.round(of.applyAsDouble(key) * 1e3);
    }

    /** Returns the number of instances for which the platform has processors. */
    int mostInstances() {
        return Math.max(1, (int) (platform.vcpu / instance.vcpu));
    }
}
