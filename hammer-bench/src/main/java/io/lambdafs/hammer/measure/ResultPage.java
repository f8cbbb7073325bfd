package io.lambdafs.hammer.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.measure.Figures.Table;
import io.lambdafs.hammer.report.Csv;
import io.lambdafs.hammer.report.PageAssets;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.Measured;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of any result: its tables, and their numeric columns as bars; JSON and CSV beside it. Stateless. */
public final class ResultPage {
    /** The key of an incomplete result that says which part is measured. */
    public static final String UNFINISHED = "unfinished";

    /** Maximum number of bars that are still comparable. */
    private static final int MOST_BARS = 100;

    private ResultPage() {}

    /** Returns whether a directory can be created or written: checks its nearest existing ancestor. */
    public static boolean canHold(Path directory) {
        Path there = directory.toAbsolutePath().normalize();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return Files.isDirectory(there) && Files.isWritable(there);
    }

    /**
     * Writes {@code NAME.html}, {@code NAME.json} (the output of {@code --json}) and {@code NAME.csv}, the first table;
     * every further one of more than one row goes to {@code NAME-TABLE.csv}.
     *
     * @param folder created if missing
     * @return the page
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT} if it cannot be written
     */
    static Path write(String name, BenchResult result, Path folder) {
        List<Table> tables = Figures.of(result.json());
        Map<String, String> files = new LinkedHashMap<>();
        files.put(name + ".json", result.json().toPrettyString() + "\n");
        for (int i = 0; i < tables.size(); i++) {
            Table table = tables.get(i);
            if (i == 0 || table.rows().size() > 1) {
                files.put(i == 0 ? name + ".csv" : name + "-" + fileName(tables, i) + ".csv", Csv.of(table.rows()));
            }
        }
        files.put(name + ".html", html(name, result, tables));
        Report.write(folder, files);
        return folder.toAbsolutePath().normalize().resolve(name + ".html");
    }

    /** Returns a table's name as part of a file's; tables of the same name are numbered. */
    private static String fileName(List<Table> tables, int number) {
        String name = tables.get(number).name();
        boolean twice = tables.stream().filter(each -> each.name().equals(name)).count() > 1;
        return name.replaceAll("[^A-Za-z0-9]+", "-") + (twice ? "-" + number : "");
    }

    private static String html(String name, BenchResult result, List<Table> tables) {
        StringBuilder body = new StringBuilder(
                PageAssets.state(result.json().path(UNFINISHED).asText("")));
        ArrayNode plots = JsonNodeFactory.instance.arrayNode();
        for (Table table : tables) {
            body.append("<section>\n<h2>")
                    .append(PageAssets.escape(table.name()))
                    .append("</h2>\n");
            table(body, table);
            body.append("<div class=\"charts\">\n");
            if (table.rows().size() <= MOST_BARS) {
                table.measured().forEach(column -> plot(body, plots, table, column));
            }
            body.append("</div>\n</section>\n");
        }
        if (!result.failures().isEmpty()) {
            body.append("<section>\n<h2>What failed</h2>\n<ol>\n");
            result.failures()
                    .forEach(each -> body.append("<li><code>")
                            .append(PageAssets.escape(each))
                            .append("</code></li>\n"));
            body.append("</ol>\n</section>\n");
        }
        return PageAssets.page(
                "bench " + name, body.toString(), Measured.machine(), plots.toString(), PageAssets.own("bars.js"));
    }

    private static void table(StringBuilder html, Table table) {
        html.append("<div class=\"scroll\"><table class=\"numbers\">\n<thead><tr>");
        table.columns()
                .forEach(each -> html.append("<th scope=\"col\">")
                        .append(PageAssets.escape(each))
                        .append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (ObjectNode row : table.rows()) {
            String tag = "th scope=\"row\"";
            html.append("<tr>");
            for (String column : table.columns()) {
                html.append('<')
                        .append(tag)
                        .append('>')
                        .append(PageAssets.escape(shown(row.path(column))))
                        .append("</")
                        .append(tag, 0, 2)
                        .append('>');
                tag = "td";
            }
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table></div>\n");
    }

    /** Formats a number with few digits, and anything else unchanged. */
    private static String shown(JsonNode value) {
        if (!value.isNumber()) {
            return Csv.cell(value);
        }
        double number = value.asDouble();
        if (value.isIntegralNumber() || number == Math.rint(number)) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        return String.format(Locale.ROOT, Math.abs(number) < 0.01 ? "%.3g" : "%,.3f", number);
    }

    private static void plot(StringBuilder html, ArrayNode plots, Table table, String column) {
        ObjectNode plot = plots.addObject().put("id", "plot-" + plots.size()).put("title", column);
        ArrayNode labels = plot.putArray("labels");
        ArrayNode values = plot.putArray("values");
        for (ObjectNode row : table.rows()) {
            String label = Figures.label(row);
            labels.add(label.isEmpty() ? "row " + (labels.size() + 1) : label);
            values.add(row.path(column).isNumber() ? row.get(column) : JsonNodeFactory.instance.nullNode());
        }
        html.append(String.format(
                Locale.ROOT,
                "<figure><figcaption>%s</figcaption><div class=\"plot\"><canvas id=\"%s\" role=\"img\" aria-label=\"%s of each row\"></canvas></div></figure>%n",
                PageAssets.escape(column),
                plot.path("id").asText(),
                PageAssets.escape(column)));
    }
}
