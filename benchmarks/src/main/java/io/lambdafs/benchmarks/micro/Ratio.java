package io.lambdafs.benchmarks.micro;

import io.lambdafs.hammer.measure.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ratio of two lanes' throughputs, turn by turn. Immutable.
 *
 * @param cpu the median ratio of client and server CPU time per operation; NaN if not known
 */
record Ratio(LaneKey numerator, LaneKey denominator, Spread throughput, double cpu) {
    static Ratio of(LaneKey numerator, List<Round> above, LaneKey denominator, List<Round> below) {
        List<Double> throughput = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (int i = 0; i < Math.min(above.size(), below.size()); i++) {
            throughput.add(above.get(i).opsPerSecond() / below.get(i).opsPerSecond());
            cpu.add(cpu(above.get(i)) / cpu(below.get(i)));
        }
        return new Ratio(
                numerator, denominator, Spread.of(throughput), Spread.of(cpu).median());
    }

    private static double cpu(Round round) {
        return round.clientMicrosPerOp() + round.serverMicrosPerOp();
    }

    /**
     * Returns the ratios of the first target to each other one: on Hadoop's interface at equally many threads; on its
     * own interface against the other's best number of threads, as a user would choose.
     */
    static List<Ratio> all(Map<LaneKey, List<Round>> lanes, List<String> targets) {
        List<Ratio> ratios = new ArrayList<>();
        for (Map.Entry<LaneKey, List<Round>> lane : lanes.entrySet()) {
            if (!lane.getKey().target().equals(targets.get(0))) {
                continue;
            }
            for (String other : targets.subList(1, targets.size())) {
                rival(lanes, lane.getKey(), other)
                        .ifPresent(rival ->
                                ratios.add(of(lane.getKey(), lane.getValue(), rival.getKey(), rival.getValue())));
            }
        }
        return ratios;
    }

    private static Optional<Map.Entry<LaneKey, List<Round>>> rival(
            Map<LaneKey, List<Round>> lanes, LaneKey lane, String other) {
        return lanes.entrySet().stream()
                .filter(each -> each.getKey().target().equals(other)
                        && each.getKey().op() == lane.op()
                        && !each.getKey().isNative()
                        && (lane.isNative() || each.getKey().concurrency() == lane.concurrency()))
                .max(Comparator.comparingDouble(each -> median(each.getValue())));
    }

    private static double median(List<Round> rounds) {
        return Spread.of(rounds.stream().map(Round::opsPerSecond).toList()).median();
    }
}
