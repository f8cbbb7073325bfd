package io.lambdafs.hammer.fleet;

import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.report.PageAssets;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.Latency;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The services side by side as a self-contained page, as CSV and as JSON. Stateless. */
public final class FleetReport {
    private static final String TITLE = "beside fixed fleets: one load, one machine, one after the other";

    private FleetReport() {}

    /**
     * Writes {@code fleet.html}, {@code fleet.json}, {@code fleet.csv} (a row for each service) and {@code
     * fleet-series.csv} (one for each second).
     *
     * @return the page
     */
    public static Path write(FleetResult result, Path directory) {
        Report.write(
                directory,
                Map.of(
                        "fleet.json", result.json().toPrettyString(),
                        "fleet.csv", result.summaryCsv(),
                        "fleet-series.csv", result.seriesCsv(),
                        "fleet.html", render(result)));
        return directory.toAbsolutePath().normalize().resolve("fleet.html");
    }

    private static String render(FleetResult result) {
        String body = PageAssets.own("fleet/fleet.html")
                .replace("{{state}}", PageAssets.state(result.unfinished()))
                .replace("{{rows}}", rows(result))
                .replace("{{comparison}}", comparison(result))
                .replace("{{settings}}", settings(result));
        return PageAssets.page(TITLE, body, "", result.json().toString(), PageAssets.own("fleet/fleet.js"));
    }

    private static String rows(FleetResult result) {
        StringBuilder html = new StringBuilder();
        for (PersonaRun run : result.runs()) {
            html.append("<tr><th scope=\"row\" title=\"")
                    .append(PageAssets.escape(run.persona().what()))
                    .append("\">")
                    .append(PageAssets.escape(run.persona().label()))
                    .append("</th>");
            cell(html, "%.2f", run.vcpu());
            cell(html, "%,.0f", run.result().opsPerSecond());
            cell(html, "%,.0f", run.burstOpsPerSecond());
            cell(html, "%,.2f", run.outsideBurst().mean() / 1e3);
            percentiles(html, run.outsideBurst());
            cell(html, "%,.2f", run.inBurst().mean() / 1e3);
            cell(html, "%,.2f", run.readsInBurst().mean() / 1e3);
            percentiles(html, run.inBurst());
            cell(html, "%d", run.result().peakInstances());
            cell(html, "$%.6f", run.usd());
            cell(html, "$%.3f", run.usdPerMillionOps());
            cell(html, "%s", run.failedText());
            html.append("</tr>\n");
        }
        return html.toString();
    }

    private static void percentiles(StringBuilder html, Latency latency) {
        cell(html, "%,.2f", latency.p50() / 1e3);
        cell(html, "%,.1f", latency.p99() / 1e3);
        cell(html, "%,.1f", latency.p999() / 1e3);
    }

    private static String comparison(FleetResult result) {
        return result.comparison().stream()
                .map(line -> "<p>" + PageAssets.escape(line) + "</p>\n")
                .collect(Collectors.joining());
    }

    private static void cell(StringBuilder html, String format, Object value) {
        html.append("<td>").append(String.format(Locale.ROOT, format, value)).append("</td>");
    }

    private static String settings(FleetResult result) {
        StringBuilder html = new StringBuilder();
        for (PersonaRun run : result.runs()) {
            setting(html, run.persona().label(), run.persona().what() + "; cost: " + costs(run));
        }
        setting(html, "Links", Emulation.line(result.distance()));
        PriceTable prices = result.prices();
        setting(
                html,
                "Prices",
                String.format(
                        Locale.ROOT,
                        "%s, %s: functions $%.10f per GB-second while they serve and $%.2f per million requests;"
                                + " machines $%.3f per vCPU and hour, from the first second to the last",
                        prices.cloud(),
                        prices.date(),
                        prices.usdPerGbSecond(),
                        prices.usdPerMillionRequests(),
                        prices.usdPerVcpuHour()));
        result.runs().stream()
                .findFirst()
                .ifPresent(first -> first.result()
                        .settings()
                        .forEach((name, value) -> setting(html, first.persona().label() + ": " + name, value)));
        return html.toString();
    }

    private static String costs(PersonaRun run) {
        return Arrays.stream(CostModel.values())
                .map(model -> String.format(Locale.ROOT, "$%.6f as %s", run.usd(model), model.what()))
                .collect(Collectors.joining(", "));
    }

    private static void setting(StringBuilder html, String name, String value) {
        html.append("<tr><th scope=\"row\">")
                .append(PageAssets.escape(name))
                .append("</th><td>")
                .append(PageAssets.escape(value))
                .append("</td></tr>\n");
    }
}
