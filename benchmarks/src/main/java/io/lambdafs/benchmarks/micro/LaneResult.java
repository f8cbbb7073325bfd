package io.lambdafs.benchmarks.micro;

import io.lambdafs.hammer.measure.Spread;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The statistics of one lane over all its turns. Immutable. */
final class LaneResult {
    private final LaneKey lane;
    private final List<Round> rounds;
    private final Histogram nanos = new Histogram(3);

    /** @param rounds at least one */
    LaneResult(LaneKey lane, List<Round> rounds) {
        this.lane = lane;
        this.rounds = List.copyOf(rounds);
        rounds.forEach(round -> nanos.add(round.nanos()));
    }

    LaneKey lane() {
        return lane;
    }

    List<Round> rounds() {
        return rounds;
    }

    long ops() {
        return nanos.getTotalCount();
    }

    long failed() {
        return rounds.stream().mapToLong(Round::failed).sum();
    }

    @Nullable
    String failure() {
        return rounds.stream()
                .map(Round::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    Spread opsPerSecond() {
        return spread(Round::opsPerSecond);
    }

    double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    double clientMicrosPerOp() {
        return spread(Round::clientMicrosPerOp).median();
    }

    /** NaN if the servers are not known. */
    double serverMicrosPerOp() {
        return spread(Round::serverMicrosPerOp).median();
    }

    /** NaN if not known. */
    double compilerShare() {
        return spread(Round::compilerShare).median();
    }

    /** NaN if the servers are not known. */
    double othersCores() {
        return spread(Round::othersCores).median();
    }

    private Spread spread(ToDoubleFunction<Round> number) {
        return Spread.of(rounds.stream().map(number::applyAsDouble).toList());
    }
}
