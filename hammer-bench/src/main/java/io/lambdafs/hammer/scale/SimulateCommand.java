package io.lambdafs.hammer.scale;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchCommand;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.report.SeriesPlot;
import io.lambdafs.hammer.result.SeriesPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs simulate}. */
@Command(
        name = "simulate",
        description = {
            "Simulate the service at the size of a cloud.",
            "Runs the real client, placement, pool and admission in simulated time, with the service times of "
                    + "scale.yaml. The same seed gives the same result to the last digit."
        })
public final class SimulateCommand extends BenchCommand {
    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description = "Scenario: paper-25k, paper-50k, hot-directory, times-10, times-100 or local (default "
                    + "${DEFAULT-VALUE}).")
    private String scenario = "paper-25k";

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "YAML file with values that override the scenario's; --show prints all of them.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "SECTION.KEY=VALUE",
            description = "Set one value, such as platform.deployments=32; may be repeated.")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--sweep",
            paramLabel = "SECTION.KEY=V,V,V",
            description = "Run with each of these values; several sweeps run in all combinations.")
    private List<String> sweeps = new ArrayList<>();

    @Option(
            names = "--validate",
            description = "Also run the scenario local on real clusters of this machine, and show the difference.")
    private boolean validate;

    @Option(names = "--runs", paramLabel = "N", description = "Real runs of each load (default ${DEFAULT-VALUE}).")
    private int runs = 5;

    @Option(
            names = "--loads",
            paramLabel = "N,N",
            split = ",",
            description = "Loads of --validate in operations per second (default 500,1500).")
    private List<Double> loads = List.of(500.0, 1_500.0);

    @Option(names = "--show", description = "Print the values in effect, and simulate nothing.")
    private boolean show;

    @Option(names = "--report", paramLabel = "DIR", description = "Directory for report.html and series.svg.")
    private @Nullable Path report;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public SimulateCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        Options.check(
                ScaleFile.SCENARIOS.contains(scenario),
                "--scenario: there is no \"" + scenario + "\"; there are " + String.join(", ", ScaleFile.SCENARIOS));
        Map<String, Double> values = ScaleFile.read(scenario, file, changes);
        if (show) {
            return new BenchResult(ScaleFile.json(values), ScaleFile.text(values));
        }
        if (validate) {
            Options.check(runs >= 1 && runs <= 100, "--runs is 1..100, not " + runs);
            return new Validation(console, ScaleFile.read("local", file, changes), runs, seed).run(loads);
        }
        if (!sweeps.isEmpty()) {
            return Sweep.run(scenario, values, sweeps, seed, ScaleRun::run, console::progress);
        }
        ScaleResult result = ScaleRun.run(scenario, values, seed, this::progress);
        Path page = null;
        Path folder = report;
        if (folder != null) {
            page = Report.write(result.replay(), folder);
            SeriesPlot.write(result.replay().series(), folder);
        }
        List<String> failures = result.replay().failed() == 0
                ? List.of()
                : List.of(result.replay().failed() + " simulated operations failed or were not done");
        return new BenchResult(
                result.json(page), result.text() + (page == null ? "" : "report: " + page + "\n"), failures);
    }

    private void progress(SeriesPoint now) {
        console.progress(String.format(
                Locale.ROOT,
                "%,.0f s simulated: %,.0f ops/s of %,.0f, p99 %.1f ms, %d instances",
                now.seconds(),
                now.opsPerSecond(),
                now.offeredPerSecond(),
                now.p99Micros() / 1e3,
                now.instancesByDeployment().stream().mapToInt(Integer::intValue).sum()));
    }
}
