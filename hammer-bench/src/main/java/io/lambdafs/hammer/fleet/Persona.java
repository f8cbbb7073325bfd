package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.hammer.load.LoadRun;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A metadata service that this code can be, by its settings. */
public enum Persona {
    /** As it comes. */
    LAMBDAFS("scales out and in, caches"),
    /** Stateless servers, as HopsFS's NameNodes. */
    HOPSFS("a fixed fleet with as many processors, no cache"),
    HOPSFS_CACHE("a fixed fleet with as many processors, caches"),
    /** The paper's cost-normalised one. */
    HOPSFS_CACHE_AT_COST("a fixed fleet that costs what λFS has cost, caches"),
    /** Functions that are asked by HTTP alone, as InfiniCache's. */
    INFINICACHE("as many processors in a fixed number of functions, caches, an HTTP call for each operation");

    private static final long AN_HOUR_MILLIS = 3_600_000;

    private final String what;

    Persona(String what) {
        this.what = what;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it is, in a few words. */
    String what() {
        return what;
    }

    static Optional<Persona> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /** Whether it is billed by use; others are virtual machines, paid for while they are there. */
    boolean isServerless() {
        return this == LAMBDAFS || this == INFINICACHE;
    }

    /** Its cluster's settings, over those that all have. */
    ObjectNode settings(FleetSize size) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        if (this == LAMBDAFS) {
            return keys;
        }
        keys.put("deployments", size.servers());
        keys.putObject("pool")
                .put("maxInstances", 1)
                .put("prewarm", 0)
                .put("keepAliveMillis", AN_HOUR_MILLIS)
                .put("memoryMb", size.servers() * size.memoryMb());
        ObjectNode instance = keys.putObject("instance")
                .put("cpuShare", size.vcpuPerServer())
                .put("memoryMb", size.memoryMb())
                .put("concurrency", size.concurrency())
                .put("maxInFlight", size.maxInFlight())
                .put("cacheBytes", size.cacheBytes());
        if (this == HOPSFS) {
            instance.put("cacheBytes", 0);
        }
        return keys;
    }

    /** A client as this service's clients are. */
    LambdaFs client(LocalCluster cluster) {
        if (this == LAMBDAFS) {
            return LoadRun.client(cluster);
        }
        ClientConfig.HttpUse usual = ClientConfig.HttpUse.DEFAULT;
        return LambdaFs.open(ClientConfigBuilder.load(cluster.directory().client())
                .http(new ClientConfig.HttpUse(0, usual.maxReplacements(), usual.maxInFlight()))
                .tcpEnabled(this != INFINICACHE)
                .build());
    }
}
