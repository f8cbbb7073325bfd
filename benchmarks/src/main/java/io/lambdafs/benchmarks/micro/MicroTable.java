package io.lambdafs.benchmarks.micro;

import io.lambdafs.hammer.measure.Spread;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Formats results as a table for people. Stateless. */
final class MicroTable {
    private MicroTable() {}

    static String of(MicroSettings settings, MeasuredOn surroundings, List<LaneResult> results, List<Ratio> ratios) {
        StringJoiner text = new StringJoiner(System.lineSeparator());
        text.add(surroundings.lines());
        text.add(line(
                "median of %d rounds of %.1f s, each after %.1f s that do not count; ± half of the mean's 95 %% interval; seed %d",
                settings.rounds(), settings.seconds(), settings.warmUpSeconds(), settings.seed()));
        text.add(line(
                "%-14s %-12s %-6s %6s %11s %6s %9s %9s %9s %8s %8s %6s %6s",
                "op",
                "target",
                "api",
                "atOnce",
                "ops/s",
                "±",
                "p50 µs",
                "p99 µs",
                "p99.9 µs",
                "client",
                "server",
                "others",
                "failed"));
        results.forEach(each -> text.add(row(each)));
        if (!ratios.isEmpty()) {
            text.add("ratios of operations per second: median (least to greatest); of CPU per operation, both sides");
            ratios.forEach(each -> text.add(row(each)));
        }
        return text.toString();
    }

    private static String row(LaneResult result) {
        LaneKey lane = result.lane();
        Spread rate = result.opsPerSecond();
        return line(
                "%-14s %-12s %-6s %6d %,11.0f %5.0f%% %,9.0f %,9.0f %,9.0f %8s %8s %6s %6d",
                lane.op().label(),
                lane.target(),
                lane.api(),
                lane.concurrency(),
                rate.median(),
                rate.mean() == 0 ? 0 : (rate.high() - rate.low()) / 2 / rate.mean() * 100,
                result.micros(50),
                result.micros(99),
                result.micros(99.9),
                known(result.clientMicrosPerOp(), 1),
                known(result.serverMicrosPerOp(), 1),
                known(result.othersCores(), 2),
                result.failed());
    }

    private static String row(Ratio ratio) {
        LaneKey above = ratio.numerator();
        LaneKey below = ratio.denominator();
        return line(
                "%-14s %s %s %d / %s %s %d: %s (%s to %s); CPU %s",
                above.op().label(),
                above.target(),
                above.api(),
                above.concurrency(),
                below.target(),
                below.api(),
                below.concurrency(),
                known(ratio.throughput().median(), 2),
                known(ratio.throughput().min(), 2),
                known(ratio.throughput().max(), 2),
                known(ratio.cpu(), 2));
    }

    /** Formats a number, or a dash if not known. */
    static String known(double value, int digits) {
        return Double.isFinite(value) ? line("%,." + digits + "f", value) : "-";
    }

    static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
