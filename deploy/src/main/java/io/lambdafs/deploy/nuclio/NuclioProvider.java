package io.lambdafs.deploy.nuclio;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.util.Set;

/** {@code --platform nuclio}. Stateless. */
public final class NuclioProvider implements PlatformProvider {
    /** The functions' project; {@code default} by default. */
    static final String PROJECT = "project";
    /** The Kubernetes Secret whose key {@code secret} is the cluster's secret; CLUSTER-functions by default. */
    static final String SECRET = "secret";
    /** Maximum number of a function's pods; 16 by default. */
    static final String MAX_REPLICAS = "max-replicas";
    /** The handler's runtime; python:3.12 by default. */
    static final String RUNTIME = "runtime";
    /**
     * A function's address for clients, with <code>{function}</code> for its name; by default, its Service's address in
     * the cluster.
     */
    static final String URL = "url";
    /** Seconds until every function must be ready; 300 by default, 0 not to wait. */
    static final String WAIT = "wait";

    @Override
    public String name() {
        return "nuclio";
    }

    @Override
    public Set<String> options() {
        return Set.of(PROJECT, SECRET, MAX_REPLICAS, RUNTIME, URL, Target.OFFLINE, WAIT);
    }

    @Override
    public Platform open(Target target) {
        if (target.apiHost() == null && !target.isOffline()) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION, "Nuclio needs its dashboard's address: give --apihost URL");
        }
        return new NuclioPlatform(
                target, Dashboard.open(target), target.number(WAIT, 300), target.number(MAX_REPLICAS, 16));
    }
}
