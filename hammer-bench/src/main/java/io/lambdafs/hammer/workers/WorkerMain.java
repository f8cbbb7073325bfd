package io.lambdafs.hammer.workers;

import io.lambdafs.cluster.terminal.CommandLines;
import io.lambdafs.cluster.terminal.Console;
import picocli.CommandLine;

/** The process of a worker started by a replay. */
public final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] arguments) {
        Console console = Console.ofProcess();
        System.exit(CommandLines.configured(new CommandLine(new WorkerCommand(console)), console)
                .execute(arguments));
    }
}
