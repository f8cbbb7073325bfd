package io.lambdafs.deploy;

import java.util.List;
import java.util.Set;

/**
 * A FaaS platform, as far as functions are registered with it. Every method may be repeated, and may block for as long as the platform's
 * answers take. Fails with {@link DeployFailure}. Confined to one thread.
 */
public interface Platform extends AutoCloseable {
    /** What stands in the way, or will; asks only, and makes nothing. */
    List<Problem> check(Wanted wanted);

    /** The processors of the machines that run instances, as images name them ({@code amd64}); empty where the platform does not tell. */
    default Set<String> architectures() {
        return Set.of();
    }

    /**
     * Has the functions be as wanted; what is so already stays as it is. Where it fails it has undone before what this call did.
     *
     * @param dryRun changes nothing, and says what it would
     * @return one for each part, whether it changed or not, in the order in which they are made
     */
    List<Change> apply(Wanted wanted, boolean dryRun);

    /**
     * Removes everything that was ever made for a cluster, whatever its number of functions was.
     *
     * @param dryRun changes nothing, and says what it would
     */
    List<Change> remove(String cluster, boolean dryRun);

    /** How clients call the functions. */
    Access access(Wanted wanted);

    @Override
    void close();
}
