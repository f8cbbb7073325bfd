package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import java.util.function.Function;

/**
 * A cluster to measure. Immutable; its settings must not be changed.
 *
 * @param label a few characters for tables
 * @param what short description
 * @param settings of the cluster, which override the default ones
 * @param client opens a client of it
 * @param vcpu maximum of all its instances; 0 if they have no limit
 * @param fixed whether its processors are billed for the whole time, instead of by use
 */
record Setup(
        String label,
        String what,
        ObjectNode settings,
        Function<LocalCluster, LambdaFs> client,
        double vcpu,
        boolean fixed) {}
