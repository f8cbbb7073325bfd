package io.lambdafs.hammer.report;

import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.workload.Texts;
import java.util.Locale;
import java.util.Map;

/**
 * Fills the report's template: tables of text, and numbers as JSON for the script that draws them with Chart.js.
 * Stateless.
 */
final class ReportPage {
    private ReportPage() {}

    static String render(ReplayResult result) {
        String body = PageAssets.own("report.html")
                .replace("{{state}}", PageAssets.state(result.unfinished()))
                .replace("{{cards}}", cards(result))
                .replace("{{latencies}}", latencies(result))
                .replace("{{settings}}", settings(result.settings()))
                .replace("{{failures}}", failures(result));
        return PageAssets.page("replay", body, "", ResultJson.forReport(result), PageAssets.own("report.js"));
    }

    private static String cards(ReplayResult result) {
        StringBuilder html = new StringBuilder();
        card(html, "Operations", "%,d", result.operations());
        card(html, "Failed", "%,d", result.failed());
        card(html, "Done", "%,.0f ops/s", result.opsPerSecond());
        card(html, "Offered", "%,.0f ops/s", result.offeredOpsPerSecond());
        Latency all = result.latencyMicros().get(ReplayResult.ALL);
        if (all != null) {
            card(html, "Median latency", "%s", Texts.micros(all.p50()));
            card(html, "99th percentile", "%s", Texts.micros(all.p99()));
        }
        card(html, "Instances, peak → end", "%d → %d", result.peakInstances(), result.finalInstances());
        card(html, "Cache hits", "%.1f %%", result.cacheHitRate() * 100);
        card(html, "Pay-per-use", "$%.5f", result.cost().payPerUseUsd());
        card(html, "Serverful fleet", "$%.5f", result.cost().serverfulUsd());
        card(html, "Per million operations", "$%.3f", result.cost().perMillionOpsUsd());
        card(html, "Requests by HTTP", "%.1f %%", result.httpShare() * 100);
        return html.toString();
    }

    private static void card(StringBuilder html, String label, String format, Object... values) {
        html.append("<div class=\"card\"><div class=\"value\">")
                .append(PageAssets.escape(String.format(Locale.ROOT, format, values)))
                .append("</div><div class=\"label\">")
                .append(PageAssets.escape(label))
                .append("</div></div>\n");
    }

    private static String latencies(ReplayResult result) {
        StringBuilder html = new StringBuilder();
        result.latencyMicros().forEach((name, latency) -> {
            html.append("<tr><th scope=\"row\">")
                    .append(PageAssets.escape(name))
                    .append("</th>");
            cell(html, String.format(Locale.ROOT, "%,d", latency.count()));
            double[] values = {
                latency.mean(), latency.p50(), latency.p90(), latency.p99(), latency.p999(), latency.max()
            };
            for (double value : values) {
                cell(html, latency.count() == 0 ? "–" : Texts.micros(value));
            }
            html.append("</tr>\n");
        });
        return html.toString();
    }

    private static void cell(StringBuilder html, String text) {
        html.append("<td>").append(PageAssets.escape(text)).append("</td>");
    }

    private static String settings(Map<String, String> settings) {
        StringBuilder html = new StringBuilder();
        settings.forEach((name, value) -> html.append("<tr><th scope=\"row\">")
                .append(PageAssets.escape(name))
                .append("</th><td>")
                .append(PageAssets.escape(value))
                .append("</td></tr>\n"));
        return html.toString();
    }

    private static String failures(ReplayResult result) {
        if (result.failed() == 0) {
            return "<p>None: every answer was the one that the model of the namespace expects.</p>";
        }
        StringBuilder html = new StringBuilder(
                String.format(Locale.ROOT, "<p>%,d failed. The first of them:</p><ol>%n", result.failed()));
        result.failures()
                .forEach(failure -> html.append("<li><code>")
                        .append(PageAssets.escape(failure))
                        .append("</code></li>\n"));
        return html.append("</ol>").toString();
    }
}
