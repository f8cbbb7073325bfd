package io.lambdafs.hammer.measure;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The common part of all commands that measure: they measure, print the result, and fail if a measurement failed. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class, sortOptions = false)
public abstract class BenchCommand implements Callable<Integer> {
    private static final int LAST = 1_000;

    protected final Console console;

    @Option(names = "--json", order = LAST, description = "Print one JSON object.")
    private boolean json;

    protected BenchCommand(Console console) {
        this.console = console;
    }

    /** Checks the options, and measures. */
    protected abstract BenchResult measure() throws InterruptedException, IOException;

    /** Checks in advance what would otherwise fail after the measurement. */
    void prepare() {}

    /** Keeps the printed result. */
    void keep(BenchResult result) {}

    @Override
    public final Integer call() throws InterruptedException, IOException {
        prepare();
        BenchResult result = measure();
        console.print(json ? result.json().toString() : result.text());
        keep(result);
        if (result.failures().isEmpty()) {
            return ExitCode.OK.number();
        }
        result.failures().forEach(each -> console.say("lambdafs: " + each));
        return ExitCode.FAILED.number();
    }
}
