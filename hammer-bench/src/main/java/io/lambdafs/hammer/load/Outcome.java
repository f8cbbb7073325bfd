package io.lambdafs.hammer.load;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.ReplayResult;
import java.nio.file.Path;

/**
 * The end of a run. Immutable.
 *
 * @param report directory of the page
 */
public record Outcome(ReplayResult result, Path report) {
    /** Writes the page, shows the result, and returns the exit code. */
    public int show(Console console, boolean json) {
        Path page = Report.write(result, report);
        if (json) {
            console.print(Report.json(result, page));
        } else {
            console.print(Report.table(result));
            console.print(Scaling.of(result).line());
            console.print("report: " + page);
        }
        return judge(result, console);
    }

    /** Prints the failures, if any, and returns the exit code. */
    public static int judge(ReplayResult result, Console console) {
        if (result.failed() > 0) {
            console.say("lambdafs: " + result.failed() + " of " + result.operations() + " operations failed");
            result.failures().forEach(each -> console.say("  " + each));
            return ExitCode.FAILED.number();
        }
        return ExitCode.OK.number();
    }
}
