package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.config.Routing;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.hammer.load.LoadRun;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A metadata service imitated by the settings of this code. */
public enum Persona {
    /** λFS with its default settings. */
    LAMBDAFS("scales out and in, caches"),
    /** λFS with at most two instances of each deployment (the paper's figure 14). */
    LAMBDAFS_LIMITED("scales out to two instances of a deployment, caches"),
    /** λFS with one instance of each deployment (the paper's figure 14). */
    LAMBDAFS_OFF("does not scale, caches"),
    /** λFS with a cache smaller than the working set (the paper's §5.2.3). */
    LAMBDAFS_REDUCED_CACHE("scales out and in, caches little"),
    /** Functions that stay once started, like those of SLFS. */
    HELD("scales out and not in, caches, paid for at its peak all the time"),
    /** Stateless servers, like HopsFS's NameNodes. */
    HOPSFS("a fixed fleet with as many processors, no cache"),
    HOPSFS_RANDOM("the same, a server at random for each operation"),
    HOPSFS_ROUND_ROBIN("the same, the servers in turn"),
    HOPSFS_STICKY("the same, each of " + ServerChoice.CLIENTS + " clients with one server for good"),
    HOPSFS_CACHE("a fixed fleet with as many processors, caches"),
    /** The paper's cost-normalised fleet. */
    HOPSFS_CACHE_AT_COST("a fixed fleet that costs what λFS has cost, caches"),
    /** Functions called only by HTTP, like those of InfiniCache. */
    INFINICACHE("as many processors in a fixed number of functions, caches, an HTTP call for each operation");

    /** Room for some hundreds of INodes. */
    private static final long LITTLE_CACHE_BYTES = 256 << 10;

    private static final long AN_HOUR_MILLIS = 3_600_000;

    private final String what;

    Persona(String what) {
        this.what = what;
    }

    /** Returns its name in options and tables. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Describes it in a few words. */
    public String what() {
        return what;
    }

    /** Returns the persona with this name. */
    public static Optional<Persona> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /** Returns whether it is billed by use; others are virtual machines, paid for during their lifetimes. */
    public boolean isServerless() {
        return scales() || this == INFINICACHE;
    }

    /** Returns whether it is λFS with other bounds; others are fixed fleets. */
    public boolean scales() {
        return switch (this) {
            case LAMBDAFS, LAMBDAFS_LIMITED, LAMBDAFS_OFF, LAMBDAFS_REDUCED_CACHE, HELD -> true;
            default -> false;
        };
    }

    /** Returns whether it is a fixed fleet that caches. */
    private boolean caches() {
        return this == HOPSFS_CACHE || this == HOPSFS_CACHE_AT_COST || this == INFINICACHE;
    }

    private Routing routing() {
        return switch (this) {
            case HOPSFS_RANDOM -> ServerChoice.RANDOM.routing();
            case HOPSFS_ROUND_ROBIN -> ServerChoice.ROUND_ROBIN.routing();
            case HOPSFS_STICKY -> ServerChoice.STICKY.routing();
            default -> Routing.BY_PATH;
        };
    }

    /** Returns the maximum number of instances of a deployment, given that of λFS. */
    public int instances(int most) {
        return switch (this) {
            case LAMBDAFS_LIMITED -> Math.min(2, most);
            case LAMBDAFS_OFF -> 1;
            default -> most;
        };
    }

    /** Returns its cluster's settings, which override the common ones. */
    public ObjectNode settings(FleetSize size) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        if (scales()) {
            bounds(keys);
            return keys;
        }
        keys.put("deployments", size.servers());
        keys.putObject("pool")
                .put("maxInstances", 1)
                .put("prewarm", 0)
                .put("keepAliveMillis", AN_HOUR_MILLIS)
                .put("memoryMb", size.servers() * size.memoryMb());
        keys.putObject("instance")
                .put("cpuShare", size.vcpuPerServer())
                .put("memoryMb", size.memoryMb())
                .put("concurrency", size.concurrency())
                .put("maxInFlight", size.maxInFlight())
                .put("cacheBytes", caches() ? size.cacheBytes() : 0);
        return keys;
    }

    private void bounds(ObjectNode keys) {
        if (this == LAMBDAFS_LIMITED || this == LAMBDAFS_OFF) {
            keys.putObject("pool").put("maxInstances", instances(2));
        } else if (this == HELD) {
            keys.putObject("pool").put("keepAliveMillis", AN_HOUR_MILLIS);
        } else if (this == LAMBDAFS_REDUCED_CACHE) {
            keys.putObject("instance").put("cacheBytes", LITTLE_CACHE_BYTES);
        }
    }

    /** Opens a client configured like this service's clients. */
    public LambdaFs client(LocalCluster cluster) {
        if (scales()) {
            return LoadRun.client(cluster);
        }
        ClientConfig.HttpUse usual = ClientConfig.HttpUse.DEFAULT;
        return LambdaFs.open(ClientConfigBuilder.load(cluster.directory().client())
                .http(new ClientConfig.HttpUse(0, usual.maxReplacements(), usual.maxInFlight()))
                .tcpEnabled(this != INFINICACHE)
                .routing(routing())
                .build());
    }
}
