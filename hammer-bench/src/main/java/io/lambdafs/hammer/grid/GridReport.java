package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.report.Csv;
import io.lambdafs.hammer.report.PageAssets;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.report.TextTable;
import io.lambdafs.hammer.result.Measured;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A grid's rows for a terminal, as JSON, as CSV and as a self-contained page. Immutable.
 *
 * @param name of the experiment, and of its files
 * @param title for people
 * @param beside published results from other machines; empty if there are none
 * @param cells number of rows when all are measured
 * @param distance emulated on all clusters
 */
record GridReport(String name, String title, String beside, List<GridRow> rows, int cells, DistanceSettings distance) {
    GridReport {
        rows = List.copyOf(rows);
    }

    /** Creates an empty report. */
    GridReport(String name, String title, String beside) {
        this(name, title, beside, List.of(), 0, DistanceSettings.NONE);
    }

    /** Returns the same report with the rows so far and the total number of cells. */
    GridReport of(List<GridRow> measured, int all) {
        return new GridReport(name, title, beside, measured, all, distance);
    }

    /** Returns the same report, of clusters at an emulated distance. */
    GridReport at(DistanceSettings emulated) {
        return new GridReport(name, title, beside, rows, cells, emulated);
    }

    /** Explains why it is incomplete; empty if it is complete. */
    private String unfinished() {
        return rows.size() >= cells ? "" : rows.size() + " of " + cells + " cells are measured";
    }

    String text() {
        String text = new TextTable<GridRow>()
                        .left("setup", 26, row -> row.setup().label())
                        .left("op", 7, row -> row.op().label())
                        .number("clients", 8, "%d", GridRow::clients)
                        .number("ops/s", 10, "%,.0f", GridRow::opsPerSecond)
                        .number("mean ms", 9, "%.3f", row -> row.latency().mean() / 1e3)
                        .number("p50 ms", 9, "%.3f", row -> row.latency().p50() / 1e3)
                        .number("p99 ms", 9, "%.2f", row -> row.latency().p99() / 1e3)
                        .number("p99.9 ms", 9, "%.2f", row -> row.latency().p999() / 1e3)
                        .number("instances", 10, "%d", GridRow::instances)
                        .number("M ops/$", 9, "%.2f", GridRow::millionsPerUsd)
                        .number("failed", 8, "%,d", GridRow::failed)
                        .of(rows)
                + "(service times of a closed loop: each client's next operation starts when the one before is answered)\n"
                + Emulation.line(distance) + "\n";
        return beside.isEmpty() ? text : text + "the paper, on other machines: " + beside + "\n";
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1).put("experiment", name);
        json.put("machine", Measured.machine());
        json.set("distance", Emulation.json(distance));
        if (!unfinished().isEmpty()) {
            json.put("unfinished", unfinished());
        }
        ArrayNode array = json.putArray("rows");
        for (GridRow row : rows) {
            ObjectNode one = array.addObject();
            each(row, (key, value) -> {
                if (value instanceof String word) {
                    one.put(key, word);
                } else if (value instanceof Double number) {
                    one.put(key, Math.round(number * 1e6) / 1e6);
                } else {
                    one.put(key, ((Number) value).longValue());
                }
            });
        }
        return json;
    }

    private static void each(GridRow row, BiConsumer<String, Object> to) {
        to.accept("setup", row.setup().label());
        to.accept("vcpu", row.setup().vcpu());
        to.accept("op", row.op().label());
        to.accept("clients", (long) row.clients());
        to.accept("operations", row.latency().count() + row.failed());
        to.accept("failed", row.failed());
        to.accept("seconds", row.seconds());
        to.accept("opsPerSecond", row.opsPerSecond());
        to.accept("meanMicros", row.latency().mean());
        to.accept("p50Micros", row.latency().p50());
        to.accept("p99Micros", row.latency().p99());
        to.accept("p999Micros", row.latency().p999());
        to.accept("instances", (long) row.instances());
        to.accept("usd", row.usd());
        to.accept("millionsPerUsd", row.millionsPerUsd());
    }

    /**
     * Writes the page, and JSON and CSV beside it.
     *
     * @return the page
     */
    Path write(Path folder) {
        Path page = folder.toAbsolutePath().normalize().resolve(name + ".html");
        Report.write(
                folder,
                Map.of(
                        name + ".json",
                        json().toPrettyString(),
                        name + ".csv",
                        Csv.of(json().path("rows")),
                        name + ".html",
                        html()));
        return page;
    }

    private String html() {
        String body = PageAssets.own("grid/grid.html")
                .replace("{{state}}", PageAssets.state(unfinished()))
                .replace(
                        "{{beside}}",
                        PageAssets.escape(Emulation.line(distance) + ". "
                                + (beside.isEmpty() ? "" : "The paper, on other machines: " + beside)))
                .replace("{{rows}}", tableRows());
        return PageAssets.page(title, body, Measured.machine(), json().toString(), PageAssets.own("grid/grid.js"));
    }

    private String tableRows() {
        StringBuilder html = new StringBuilder();
        for (GridRow row : rows) {
            html.append("<tr><th scope=\"row\" title=\"")
                    .append(PageAssets.escape(row.setup().what()))
                    .append("\">")
                    .append(String.format(
                            Locale.ROOT,
                            "%s</th><td>%s</td><td>%d</td><td>%,.0f</td><td>%,.3f</td><td>%,.3f</td><td>%,.2f</td><td>%,.2f</td><td>%d</td><td>%,.2f</td><td>%,d</td></tr>%n",
                            PageAssets.escape(row.setup().label()),
                            row.op().label(),
                            row.clients(),
                            row.opsPerSecond(),
                            row.latency().mean() / 1e3,
                            row.latency().p50() / 1e3,
                            row.latency().p99() / 1e3,
                            row.latency().p999() / 1e3,
                            row.instances(),
                            row.millionsPerUsd(),
                            row.failed()));
        }
        return html.toString();
    }
}
