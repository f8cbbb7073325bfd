package io.lambdafs.deploy.nuclio;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.util.Set;

/** {@code --platform nuclio}. Stateless. */
public final class NuclioProvider implements PlatformProvider {
    /** The project of the functions; {@code default} unless given. */
    static final String PROJECT = "project";
    /** The Kubernetes Secret whose key {@code secret} is the cluster's secret; CLUSTER-functions unless given. */
    static final String SECRET = "secret";
    /** The most pods of a function; 16 unless given. */
    static final String MAX_REPLICAS = "max-replicas";
    /** The handler's runtime; python:3.12 unless given. */
    static final String RUNTIME = "runtime";
    /**
     * The address of a function for clients, with <code>{function}</code> for its name; its Service's address in the
     * cluster unless given.
     */
    static final String URL = "url";
    /** Seconds until every function must be ready; 300 unless given, 0 not to wait. */
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
                target, Dashboard.open(target), number(target, WAIT, 300), number(target, MAX_REPLICAS, 16));
    }

    private static int number(Target target, String key, int otherwise) {
        String text = target.option(key, Integer.toString(otherwise));
        if (!text.matches("[0-9]{1,5}")) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION, "the option " + key + " takes a whole number, not \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }
}
