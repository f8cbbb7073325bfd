package io.lambdafs.deploy;

import io.lambdafs.model.operation.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a cluster's functions for every platform. Immutable.
 *
 * @param cluster prefix of all created names, and the value of their label: lower-case letters, digits and hyphens, at
 *     most 32
 * @param deployments n, the number of functions
 * @param image the container image of an instance; empty if none is given
 * @param memoryMb memory of an instance
 * @param concurrency concurrent calls of an instance (the paper's ConcurrencyLevel)
 * @param timeout time limit of one call
 * @param minInstances instances kept for each function
 * @param httpShare share of a function's requests by HTTP, above 0 and at most 1: a platform's autoscaler sees only
 *     these
 * @param configuration of an instance, JSON with the keys of {@link io.lambdafs.functions.FunctionConfig} but {@code secretFile}
 * @param secretFile the cluster's secret; null if the configuration says {@code insecure}
 * @param environment further environment variables of an instance, by name
 */
public record FunctionsSpec(
        String cluster,
        int deployments,
        String image,
        int memoryMb,
        int concurrency,
        Duration timeout,
        int minInstances,
        double httpShare,
        String configuration,
        @Nullable Path secretFile,
        Map<String, String> environment) {
    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,30}[a-z0-9])?");
    private static final int MOST_SECONDS = 900;

    public FunctionsSpec {
        check(NAME.matcher(cluster).matches(), "the cluster's name must match " + NAME + ", not \"" + cluster + "\"");
        check(
                deployments >= 1 && deployments <= Placement.MAX_DEPLOYMENTS,
                "deployments must be 1.." + Placement.MAX_DEPLOYMENTS + ", not " + deployments);
        check(memoryMb >= 64, "memory must be at least 64 MB, not " + memoryMb);
        check(concurrency >= 1, "concurrency must be at least 1, not " + concurrency);
        check(
                timeout.toSeconds() >= 1 && timeout.toSeconds() <= MOST_SECONDS,
                "the time of a call must be 1.." + MOST_SECONDS + " s, not " + timeout.toSeconds());
        check(minInstances >= 0, "the instances to keep must be 0 or more, not " + minInstances);
        check(httpShare > 0 && httpShare <= 1, "the HTTP share must be above 0 and at most 1, not " + httpShare);
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    }

    /** Returns the same with another number of functions; the instances' configuration stays. */
    public FunctionsSpec withDeployments(int number) {
        return new FunctionsSpec(
                cluster,
                number,
                image,
                memoryMb,
                concurrency,
                timeout,
                minInstances,
                httpShare,
                configuration,
                secretFile,
                environment);
    }

    /**
     * Reads the cluster's secret.
     *
     * @return its text; empty if the configuration says {@code insecure}
     * @throws DeployFailure if the file cannot be read
     */
    public String secret() {
        if (secretFile == null) {
            return "";
        }
        try {
            return Files.readString(secretFile).strip();
        } catch (IOException e) {
            throw FileFaults.of(
                    Problem.Code.CONFIGURATION,
                    "cannot read the cluster's secret",
                    e,
                    "name its file with --secret-file, or in the configuration");
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new DeployFailure(Problem.Code.CONFIGURATION, otherwise);
        }
    }

    /** Returns the prefix of the functions' names. */
    public static String prefix(String cluster) {
        return cluster + "-nn";
    }

    public String prefix() {
        return prefix(cluster);
    }

    /** Returns the name of a function. */
    public String function(int deployment) {
        return prefix() + deployment;
    }

    /** Returns those of the names that a cluster's functions have, whatever their number, in the order of theirs. */
    public static List<String> functions(String cluster, Stream<String> names) {
        return names.filter(name -> isFunction(cluster, name))
                .sorted(Comparator.comparingInt(name -> number(cluster, name)))
                .toList();
    }

    private static int number(String cluster, String function) {
        return Integer.parseInt(function.substring(prefix(cluster).length()));
    }

    /** Returns whether a function of the cluster is one of more than these. */
    public boolean isSurplus(String function) {
        return number(cluster, function) >= deployments;
    }

    /** Returns whether a name is that of a cluster's function, whatever their number. */
    public static boolean isFunction(String cluster, String name) {
        String prefix = prefix(cluster);
        return name.startsWith(prefix) && name.substring(prefix.length()).matches("0|[1-9][0-9]{0,3}");
    }
}
