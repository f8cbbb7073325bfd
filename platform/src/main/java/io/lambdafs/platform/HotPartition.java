package io.lambdafs.platform;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A deployment that does far more than an even share of the load, because a directory that hashes to it is popular.
 * Immutable.
 *
 * @param share of the load of all deployments, 0–1
 * @param deployments how many there are
 */
public record HotPartition(String deployment, double share, int deployments) {
    /** From this multiple of an even share on. */
    private static final double OF_EVEN = 1.5;
    /** A lighter load says nothing. */
    private static final double LEAST_OPS_PER_SECOND = 20;

    /**
     * Returns the hot one of some deployments, if any is.
     *
     * @param opsPerSecond of those that serve
     * @param deployments how many there are
     */
    public static Optional<HotPartition> of(Map<String, Double> opsPerSecond, int deployments) {
        double all = opsPerSecond.values().stream().mapToDouble(each -> each).sum();
        return all < LEAST_OPS_PER_SECOND
                ? Optional.empty()
                : opsPerSecond.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(most -> new HotPartition(most.getKey(), most.getValue() / all, deployments))
                        .filter(most -> deployments > 1 && most.share * deployments >= OF_EVEN);
    }

    /** Describes it for people. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "hot partition: %s does %.0f %% of the load; an even share is %.0f %%",
                deployment,
                share * 100,
                100.0 / deployments);
    }
}
