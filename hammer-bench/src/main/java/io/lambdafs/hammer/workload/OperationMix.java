package io.lambdafs.hammer.workload;

import io.lambdafs.hammer.tree.Limits;
import io.lambdafs.model.FsException;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Draws kinds of operations in given proportions. Immutable. */
public final class OperationMix {
    private static final OperationKind[] KINDS = OperationKind.values();

    /** The Spotify workload (the paper's Table 2). */
    public static final OperationMix SPOTIFY = new OperationMix("Spotify mix", table2());

    private final String name;
    private final Map<OperationKind, Double> shares;
    private final double[] upTo = new double[KINDS.length];

    private OperationMix(String name, Map<OperationKind, Double> shares) {
        this.name = name;
        this.shares = new EnumMap<>(shares);
        double all = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        double sum = 0;
        for (int i = 0; i < KINDS.length; i++) {
            sum += shares.getOrDefault(KINDS[i], 0.0) / all;
            upTo[i] = sum;
        }
    }

    private static Map<OperationKind, Double> table2() {
        Map<OperationKind, Double> shares = new EnumMap<>(OperationKind.class);
        for (OperationKind kind : KINDS) {
            shares.put(kind, kind.percent());
        }
        return shares;
    }

    /**
     * Returns a custom mix.
     *
     * @param name for the report
     * @param shares in any unit, each at least 0, one above 0; missing kinds do not occur
     * @throws FsException {@code INVALID_ARGUMENT}
     */
    public static OperationMix of(String name, Map<OperationKind, Double> shares) {
        double sum = 0;
        for (Map.Entry<OperationKind, Double> each : shares.entrySet()) {
            Limits.check("mix: the share of " + each.getKey().label(), each.getValue(), 0, 1e9);
            sum += each.getValue();
        }
        if (!(sum > 0)) {
            throw FsException.invalidArgument("mix: at least one share must be above 0");
        }
        return new OperationMix(name, shares);
    }

    OperationKind draw(RandomGenerator random) {
        return at(random.nextDouble());
    }

    /**
     * Returns the kind for a number: uniformly distributed numbers give kinds in their proportions.
     *
     * @param u at least 0, below 1
     */
    public OperationKind at(double u) {
        int last = 0;
        for (int i = 0; i < upTo.length; i++) {
            if (u < upTo[i]) {
                return KINDS[i];
            }
            // Rounding may leave a remainder, which goes to the last kind that occurs.
            last = i == 0 || upTo[i] > upTo[i - 1] ? i : last;
        }
        return KINDS[last];
    }

    /** Returns the shares by kind, in any unit. */
    public Map<OperationKind, Double> shares() {
        return Map.copyOf(shares);
    }

    /** Describes the name and shares, for the report. */
    public String describe() {
        return name + ": "
                + shares.entrySet().stream()
                        .filter(each -> each.getValue() > 0)
                        .map(each -> each.getKey().label() + " " + each.getValue())
                        .collect(Collectors.joining(", "))
                + (this == SPOTIFY ? " (percent)" : "");
    }
}
