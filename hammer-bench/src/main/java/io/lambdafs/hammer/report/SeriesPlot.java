package io.lambdafs.hammer.report;

import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Throughput, latency and instances over time, as an SVG for documents. Stateless. */
public final class SeriesPlot {
    private static final int WIDTH = 720;
    private static final int PANEL = 150;
    private static final int LEFT = 70;
    private static final int RIGHT = 12;
    private static final int TOP = 26;
    private static final int GAP = 40;
    private static final int TICKS = 4;

    private SeriesPlot() {}

    /** One line of a panel. */
    private record Line(String colour, ToDoubleFunction<SeriesPoint> of) {}

    /** Writes {@code series.svg}. */
    public static void write(List<SeriesPoint> series, Path folder) {
        StringBuilder svg = new StringBuilder();
        int height = 3 * (PANEL + GAP) + TOP;
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
                WIDTH,
                height));
        panel(
                svg,
                0,
                "operations a second: offered (grey), done (blue)",
                series,
                new Line("#9aa5b1", SeriesPoint::offeredPerSecond),
                new Line("#0072b2", SeriesPoint::opsPerSecond));
        panel(
                svg,
                1,
                "milliseconds from the intended start: p99 (orange), p50 (blue)",
                series,
                new Line("#d55e00", point -> point.p99Micros() / 1e3),
                new Line("#0072b2", point -> point.p50Micros() / 1e3));
        panel(
                svg,
                2,
                "instances",
                series,
                new Line(
                        "#009e73",
                        point -> point.instancesByDeployment().stream()
                                .mapToInt(Integer::intValue)
                                .sum()));
        svg.append("</svg>\n");
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("series.svg"), svg);
        } catch (IOException e) {
            throw FsException.invalidArgument("cannot write to " + folder + ": " + e, e);
        }
    }

    private static void panel(StringBuilder svg, int number, String title, List<SeriesPoint> series, Line... lines) {
        int top = TOP + number * (PANEL + GAP);
        double most = 0;
        for (Line line : lines) {
            most = Math.max(most, series.stream().mapToDouble(line.of).max().orElse(0));
        }
        double scale = round(most);
        double end = series.isEmpty() ? 1 : series.get(series.size() - 1).seconds();
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" fill=\"#1b1f24\">%s</text>%n", LEFT, top - 8, title));
        for (int i = 0; i <= TICKS; i++) {
            double y = top + PANEL - (double) PANEL * i / TICKS;
            double x = LEFT + (double) (WIDTH - LEFT - RIGHT) * i / TICKS;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dde2e8\"/>"
                            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#5b6570\">%s</text>"
                            + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#5b6570\">%.0f s</text>%n",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y,
                    LEFT - 6,
                    y + 4,
                    plain(scale * i / TICKS),
                    x,
                    top + PANEL + 16,
                    end * i / TICKS));
        }
        for (Line line : lines) {
            StringBuilder points = new StringBuilder();
            for (SeriesPoint point : series) {
                points.append(String.format(
                        Locale.ROOT,
                        "%.1f,%.1f ",
                        LEFT + (WIDTH - LEFT - RIGHT) * point.seconds() / end,
                        top + PANEL - PANEL * Math.min(1, line.of.applyAsDouble(point) / scale)));
            }
            svg.append(String.format(
                    Locale.ROOT,
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"%s\"/>%n",
                    line.colour,
                    points.toString().trim()));
        }
    }

    /** Rounds up to 1, 2, 4, 5 or 8 times a power of ten. */
    private static double round(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 2, 4, 5, 8}) {
            if (step * power >= value) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }
}
