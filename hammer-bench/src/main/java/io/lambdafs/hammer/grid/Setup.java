package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import java.util.function.Function;

/**
 * A cluster to be measured. Immutable; its settings are not to be changed.
 *
 * @param label a few characters for tables
 * @param what it is, in a few words
 * @param settings of the cluster, over the usual ones
 * @param client opens a client of it
 * @param vcpu of all its instances at most; 0 where they have no limit
 * @param fixed whether it is paid for by its processors and the time, and not by use
 */
record Setup(
        String label,
        String what,
        ObjectNode settings,
        Function<LocalCluster, LambdaFs> client,
        double vcpu,
        boolean fixed) {}
