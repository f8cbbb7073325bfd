package io.lambdafs.hammer.report;

import io.lambdafs.hammer.result.Cost;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.workload.Texts;
import java.util.Locale;
import java.util.Map;

/** A result as lines for a terminal. Stateless. */
final class ResultTable {
    private ResultTable() {}

    static String of(ReplayResult result) {
        StringBuilder text = new StringBuilder();
        line(text, "%-8s %10s %10s %10s %10s %10s %10s", "", "operations", "mean", "p50", "p99", "p99.9", "max");
        for (Map.Entry<String, Latency> entry : result.latencyMicros().entrySet()) {
            Latency latency = entry.getValue();
            line(
                    text,
                    "%-8s %,10d %10s %10s %10s %10s %10s",
                    entry.getKey(),
                    latency.count(),
                    Texts.micros(latency.mean()),
                    Texts.micros(latency.p50()),
                    Texts.micros(latency.p99()),
                    Texts.micros(latency.p999()),
                    Texts.micros(latency.max()));
        }
        line(text, "(latency from the intended start: waiting counts)");
        text.append('\n');
        line(
                text,
                "%,d operations in %.1f s: %,.0f ops/s done, %,.0f ops/s offered; %,d failed",
                result.operations(),
                result.seconds(),
                result.opsPerSecond(),
                result.offeredOpsPerSecond(),
                result.failed());
        line(
                text,
                "instances: %d at peak, %d at the end; cache hit rate %.1f %%; %.1f %% of requests by HTTP",
                result.peakInstances(),
                result.finalInstances(),
                result.cacheHitRate() * 100,
                result.httpShare() * 100);
        if (result.listings().isTold()) {
            line(text, "%s", result.listings().line());
        }
        Cost cost = result.cost();
        line(
                text,
                "cost: %s pay-per-use (%s per million operations), %s while provisioned, %s serverful",
                Texts.usd(cost.payPerUseUsd()),
                Texts.usd(cost.perMillionOpsUsd()),
                Texts.usd(cost.simplifiedUsd()),
                Texts.usd(cost.serverfulUsd()));
        line(text, "      serverful: %s", result.fleet().describe(result.peakInstances()));
        if (!result.unfinished().isEmpty()) {
            line(text, "UNFINISHED: %s", result.unfinished());
        }
        if (result.failed() > 0) {
            text.append('\n');
            line(text, "the first failed operations of %,d:", result.failed());
            result.failures().forEach(failure -> line(text, "  %s", failure));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
