package io.lambdafs.deploy.kubernetes;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.util.Set;

/** {@code --platform knative}. Stateless. */
public final class KnativeProvider implements PlatformProvider {
    /**
     * A function's URL for clients, with <code>{function}</code> for its name; by default, the one that Knative
     * reports, or the cluster's own address.
     */
    static final String URL = "url";
    /** Maximum instances of a function; 16 by default, 0 for no limit. */
    static final String MAX_SCALE = "max-scale";
    /** {@code cluster-local}: the functions have addresses in the cluster only; {@code external} by default. */
    static final String VISIBILITY = "visibility";

    static final String CLUSTER_LOCAL = "cluster-local";
    /**
     * {@code pod}: instances advertise their pod's address; {@code route}, the default: the address of their route to
     * the store.
     */
    static final String ADVERTISE = "advertise";
    /** Seconds until every function must be ready; 0 not to wait. */
    static final String WAIT = "wait";

    @Override
    public String name() {
        return "knative";
    }

    @Override
    public Set<String> options() {
        return Set.of(URL, MAX_SCALE, VISIBILITY, ADVERTISE, Target.OFFLINE, WAIT);
    }

    @Override
    public Platform open(Target target) {
        one(target, VISIBILITY, "external", CLUSTER_LOCAL);
        one(target, ADVERTISE, "route", "pod");
        maxScale(target);
        return new KnativePlatform(target, Cluster.open(target), target.number(WAIT, 120));
    }

    static int maxScale(Target target) {
        return target.number(MAX_SCALE, 16);
    }

    static boolean isClusterLocal(Target target) {
        return target.option(VISIBILITY, "").equals(CLUSTER_LOCAL);
    }

    static boolean advertisesPod(Target target) {
        return target.option(ADVERTISE, "").equals("pod");
    }

    private static void one(Target target, String key, String otherwise, String other) {
        String text = target.option(key, otherwise);
        if (!text.equals(otherwise) && !text.equals(other)) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION,
                    "the option " + key + " is " + otherwise + " or " + other + ", not \"" + text + "\"");
        }
    }
}
