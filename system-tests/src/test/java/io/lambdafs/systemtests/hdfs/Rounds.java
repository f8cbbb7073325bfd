package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rounds under one seed after the other, and what they found. Used by one thread. */
final class Rounds {
    static final int STEPS = 45;
    /** Findings beyond these are counted, and not made short. */
    private static final int MAX_SHOWN = 40;

    private final Comparison comparison;
    private final Set<String> kinds = new HashSet<>();
    private final List<String> findings = new ArrayList<>();
    private int rounds;
    private int differing;

    Rounds(Comparison comparison) {
        this.comparison = comparison;
    }

    /** A whole round. */
    void run(long seed) throws IOException {
        run(seed, IntStream.range(0, STEPS).boxed().toList());
    }

    /** A round's steps at these places, all others left out. */
    void run(long seed, List<Integer> places) throws IOException {
        rounds++;
        List<Step> all = Steps.of(seed, STEPS);
        List<Difference> found = comparison.run(Comparison.at(all, places));
        if (!found.isEmpty()) {
            differing++;
        }
        for (Difference each : found) {
            if (kinds.size() < MAX_SHOWN && kinds.add(each.kind())) {
                describe(seed, all, comparison.shrink(all, places, each), each);
            }
        }
    }

    private void describe(long seed, List<Step> all, List<Integer> places, Difference found) {
        StringBuilder text = new StringBuilder("seed " + seed + ": " + found.what());
        text.append("\n    HDFS           ").append(found.hdfs());
        text.append("\n    ").append(found.target()).append("  ").append(found.lambda());
        for (Step step : Comparison.at(all, places)) {
            text.append("\n        ").append(step);
        }
        String numbers = places.stream().map(String::valueOf).collect(Collectors.joining(","));
        text.append("\n    replay  ./lambdafs test --differential --seed ")
                .append(seed)
                .append(" --steps ")
                .append(numbers);
        findings.add(text.toString());
    }

    boolean agree() {
        return differing == 0;
    }

    /** Returns the findings. */
    List<String> findings() {
        return findings;
    }

    @Override
    public String toString() {
        return "%d rounds, %d operations asked of HDFS and of λFS with a warm cache, a cold one and none: %d rounds differ, %d ended at a listed difference"
                .formatted(rounds, comparison.asked(), differing, comparison.endedEarly());
    }
}
