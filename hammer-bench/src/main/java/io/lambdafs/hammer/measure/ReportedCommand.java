package io.lambdafs.hammer.measure;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A measurement without a specific page: {@code --report} writes the page common to all such results. */
public abstract class ReportedCommand extends BenchCommand {
    private static final int ALMOST_LAST = 999;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            order = ALMOST_LAST,
            description = "Directory that also receives the result as a page, JSON and CSV, named after this command.")
    private @Nullable Path report;

    protected ReportedCommand(Console console) {
        super(console);
    }

    @Override
    final void prepare() {
        Options.check(
                report == null || ResultPage.canHold(report),
                "--report " + report + " is not a directory that can be written");
    }

    /**
     * Writes the results so far to the report, in case the measurement is interrupted; the final result replaces them.
     */
    protected final void soFar(BenchResult partial) {
        if (report != null) {
            ResultPage.write(name(), partial, report);
        }
    }

    @Override
    final void keep(BenchResult result) {
        if (report != null) {
            console.say("report: " + ResultPage.write(name(), result, report));
        }
    }

    private String name() {
        return Objects.requireNonNull(getClass().getAnnotation(Command.class)).name();
    }
}
