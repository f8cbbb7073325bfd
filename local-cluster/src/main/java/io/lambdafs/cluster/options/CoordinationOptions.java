package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.model.FsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --coordinator}, {@code --zookeeper}, {@code --inv} and {@code --tls}. */
public final class CoordinationOptions {
    @Option(
            names = "--coordinator",
            paramLabel = "zookeeper|store",
            description = "Service for membership and leases; store starts no ZooKeeper (default zookeeper).")
    private @Nullable String coordinator;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT,…",
            description = "Existing ZooKeeper ensemble to use (default: starts a server).")
    private @Nullable String zookeeper;

    @Option(
            names = "--inv",
            paramLabel = "direct|relayed",
            description = "Path of invalidations: between instances, or through the coordinator (default direct).")
    private @Nullable String inv;

    @Option(
            names = "--tls",
            description =
                    "Encrypt all connections, with certificates made for the cluster unless files are set (default "
                            + "off).")
    private boolean tls;

    /** Adds the given options to the settings' keys. */
    public void addTo(ObjectNode keys) {
        if (coordinator != null) {
            keys.put("coordinator", coordinator);
        }
        if (zookeeper != null) {
            keys.put("zookeeper", zookeeper);
        }
        if (inv != null) {
            keys.put("inv", inv);
        }
        if (tls) {
            keys.withObject("tls").put("enabled", true);
        }
    }

    /** Fails unless a running cluster matches the given options. */
    public void demand(LocalCluster cluster) {
        ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
        demand(cluster, "--coordinator", coordinator, settings.coordinator());
        demand(cluster, "--zookeeper", zookeeper, settings.zookeeper());
        demand(cluster, "--inv", inv, settings.inv());
    }

    private static void demand(LocalCluster cluster, String option, @Nullable String given, String actual) {
        if (given != null && !given.equals(actual)) {
            throw FsException.invalidArgument(option + " " + given + ": the cluster in " + cluster.directory()
                    + " runs with " + actual + "; stop it and start it with cluster start " + option + " " + given);
        }
    }
}
