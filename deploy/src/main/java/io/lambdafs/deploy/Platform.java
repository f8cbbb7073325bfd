package io.lambdafs.deploy;

import java.util.List;
import java.util.Set;

/**
 * A FaaS platform on which functions are registered. Every method may be repeated and may block while the platform
 * answers. Methods fail with {@link DeployFailure}. Confined to one thread.
 */
public interface Platform extends AutoCloseable {
    /** Finds present and future obstacles without changing anything. */
    List<Problem> check(FunctionsSpec wanted);

    /**
     * Returns the architectures of the machines that run instances, as images name them ({@code amd64}); empty if the
     * platform does not report them.
     */
    default Set<String> architectures() {
        return Set.of();
    }

    /**
     * Creates or updates the functions to match; matching ones stay untouched. A failed call has undone its changes. With
     * {@link Target#isOffline} only dry runs are requested, which report every part as created.
     *
     * @param dryRun whether to report changes without making them
     * @return one for each part, changed or not, in the order of creation
     */
    List<Change> apply(FunctionsSpec wanted, boolean dryRun);

    /**
     * Removes everything ever created for a cluster, whatever its number of functions.
     *
     * @param dryRun whether to report changes without making them
     */
    List<Change> remove(String cluster, boolean dryRun);

    /** Returns the way clients call the functions. */
    Access access(FunctionsSpec wanted);

    @Override
    void close();
}
