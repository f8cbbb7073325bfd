package io.lambdafs.hammer.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The same load without and with instances being killed. Immutable.
 *
 * @param everySeconds seconds between two kills
 * @param kills processes killed
 */
record FaultsResult(int everySeconds, int kills, ReplayResult without, ReplayResult with) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Returns the throughput with kills, relative to that without. */
    double ratio() {
        return with.opsPerSecond() / Math.max(1e-9, without.opsPerSecond());
    }

    long failed() {
        return without.failed() + with.failed();
    }

    /**
     * Returns the depth of the worst dip: the minimum share of a second's offered operations that was done, over the
     * seconds with load.
     */
    static double deepestDip(ReplayResult result) {
        List<SeriesPoint> loaded = result.series().stream()
                .filter(point -> point.offeredPerSecond() > 0)
                .toList();
        return loaded.stream()
                .mapToDouble(point -> Math.min(1, point.opsPerSecond() / point.offeredPerSecond()))
                .min()
                .orElse(0);
    }

    ObjectNode json() {
        try {
            ObjectNode tree = MAPPER.createObjectNode().put("schema", 1);
            tree.put("everySeconds", everySeconds).put("kills", kills).put("failed", failed());
            tree.put("ratio", Math.round(ratio() * 1_000) / 1e3);
            tree.put("deepestDip", Math.round(deepestDip(with) * 1_000) / 1e3);
            tree.set("faultFree", MAPPER.readTree(Report.json(without, null)));
            tree.set("faults", MAPPER.readTree(Report.json(with, null)));
            return tree;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report's JSON does not parse", e);
        }
    }

    /**
     * Returns why the bench has failed; empty if no operation failed.
     *
     * @param logs directory of the cluster's logs
     */
    List<String> failures(Path logs) {
        List<String> failures = new ArrayList<>();
        if (failed() > 0) {
            failures.add(failed() + " operations failed; the cluster's logs are in " + logs);
            without.failures().forEach(each -> failures.add("without kills: " + each));
            with.failures().forEach(each -> failures.add("with kills: " + each));
        }
        return failures;
    }

    String text() {
        return String.format(Locale.ROOT, """
                one instance killed every %d s, %d in all
                             operations   failed      ops/s        p50        p99      p99.9   deepest second
                fault-free  %s
                with kills  %s
                throughput with kills against without: %.2f""", everySeconds, kills, line(without), line(with), ratio());
    }

    private static String line(ReplayResult result) {
        var all = result.latencyMicros().get(ReplayResult.ALL);
        return String.format(
                Locale.ROOT,
                "%,11d %,8d %,10.0f %,8.1fms %,8.1fms %,8.1fms  %.0f %% of offered",
                result.operations(),
                result.failed(),
                result.opsPerSecond(),
                all == null ? 0 : all.p50() / 1e3,
                all == null ? 0 : all.p99() / 1e3,
                all == null ? 0 : all.p999() / 1e3,
                deepestDip(result) * 100);
    }
}
