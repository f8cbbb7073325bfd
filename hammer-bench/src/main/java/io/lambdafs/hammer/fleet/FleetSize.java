package io.lambdafs.hammer.fleet;

import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.InstanceSettings;

/**
 * A fixed fleet. Immutable.
 *
 * @param servers one per deployment
 * @param vcpuPerServer 0 for no limit
 * @param memoryMb of a server
 * @param concurrency maximum number of HTTP requests that a server serves at once
 * @param maxInFlight maximum number of operations in flight in a server
 * @param cacheBytes of a server
 */
public record FleetSize(
        int servers, double vcpuPerServer, int memoryMb, int concurrency, int maxInFlight, long cacheBytes) {
    /** The minimum share of a server. */
    private static final double LEAST_VCPU = 0.05;

    /** The size of a fleet that is not fixed. */
    static final FleetSize NONE = new FleetSize(1, 0, 0, 0, 0, 0);

    /** Returns the size of all instances that λFS may have. */
    static FleetSize ofInstances(ClusterSettings settings, int maxInstances) {
        InstanceSettings instance = settings.instance();
        return new FleetSize(
                settings.deployments() * maxInstances,
                instance.cpuShare(),
                instance.memoryMb(),
                instance.concurrency(),
                instance.maxInFlight(),
                instance.cacheBytes());
    }

    /** Returns one server for each deployment, with the resources of all its instances together. */
    public static FleetSize ofAll(ClusterSettings settings, int maxInstances) {
        InstanceSettings instance = settings.instance();
        return new FleetSize(
                settings.deployments(),
                instance.cpuShare() * maxInstances,
                instance.memoryMb() * maxInstances,
                instance.concurrency() * maxInstances,
                instance.maxInFlight() * maxInstances,
                instance.cacheBytes() * maxInstances);
    }

    /**
     * Returns a fleet of at most this many processors, in servers about as large as these; a server's memory and cache
     * scale with its processors.
     */
    FleetSize of(double vcpu) {
        if (vcpuPerServer == 0) {
            return this;
        }
        double given = Math.min(vcpu(), Math.max(LEAST_VCPU, vcpu));
        int fewer = (int) Math.max(1, Math.round(given / vcpuPerServer));
        double part = given / fewer / vcpuPerServer;
        return new FleetSize(
                fewer,
                vcpuPerServer * part,
                Math.max(256, (int) (memoryMb * part)),
                concurrency,
                maxInFlight,
                Math.max(1 << 20, (long) (cacheBytes * part)));
    }

    /** Returns the same fleet with another number of processors. */
    public FleetSize withVcpu(double vcpu) {
        return new FleetSize(servers, vcpu / servers, memoryMb, concurrency, maxInFlight, cacheBytes);
    }

    /** Returns the processors of all servers together. */
    public double vcpu() {
        return servers * vcpuPerServer;
    }
}
