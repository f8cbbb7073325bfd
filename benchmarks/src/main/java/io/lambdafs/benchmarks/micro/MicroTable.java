package io.lambdafs.benchmarks.micro;

import io.lambdafs.hammer.measure.Spread;
import io.lambdafs.hammer.report.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Formats results as a table for people. Stateless. */
final class MicroTable {
    private static final TextTable<LaneResult> TABLE = new TextTable<LaneResult>()
            .left("op", 14, each -> each.lane().op().label())
            .left("target", 12, each -> each.lane().target())
            .left("api", 6, each -> each.lane().api())
            .number("atOnce", 6, "%d", each -> each.lane().concurrency())
            .number("ops/s", 11, "%,.0f", each -> each.opsPerSecond().median())
            .number("±", 6, "%.0f%%", each -> halfWidth(each.opsPerSecond()))
            .number("p50 µs", 9, "%,.0f", each -> each.micros(50))
            .number("p99 µs", 9, "%,.0f", each -> each.micros(99))
            .number("p99.9 µs", 9, "%,.0f", each -> each.micros(99.9))
            .right("client", 8, each -> known(each.clientMicrosPerOp(), 1))
            .right("server", 8, each -> known(each.serverMicrosPerOp(), 1))
            .right("others", 6, each -> known(each.othersCores(), 2))
            .number("failed", 6, "%d", LaneResult::failed);

    private MicroTable() {}

    static String of(MicroSettings settings, MeasuredOn surroundings, List<LaneResult> results, List<Ratio> ratios) {
        StringJoiner text = new StringJoiner(System.lineSeparator());
        text.add(surroundings.lines());
        text.add(line(
                "median of %d rounds of %.1f s, each after %.1f s that do not count; ± half of the mean's 95 %% interval; seed %d",
                settings.rounds(), settings.seconds(), settings.warmUpSeconds(), settings.seed()));
        text.add(TABLE.of(results).stripTrailing());
        if (!ratios.isEmpty()) {
            text.add("ratios of operations per second: median (least to greatest); of CPU per operation, both sides");
            ratios.forEach(each -> text.add(row(each)));
        }
        return text.toString();
    }

    private static double halfWidth(Spread rate) {
        return rate.mean() == 0 ? 0 : (rate.high() - rate.low()) / 2 / rate.mean() * 100;
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
