package io.lambdafs.examples;

import io.lambdafs.cluster.terminal.CommandLines;
import io.lambdafs.cluster.terminal.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code ./lambdafs example NAME}: runs one of the examples. Exit code 0 if its own check holds, 1 if not, 2 for wrong
 * usage.
 */
@Command(
        name = "lambdafs example",
        mixinStandardHelpOptions = true,
        description = "Run a Hadoop, Spark or Iceberg job on lambdafs://.",
        synopsisSubcommandLabel = "NAME",
        subcommands = {
            TeraSortExample.class,
            DfsIoExample.class,
            DistCpExample.class,
            IcebergExample.class,
            SparkExample.class
        })
public final class Main implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs an example; returns its exit code. */
    static int run(String... arguments) {
        return CommandLines.configured(new CommandLine(new Main()), Console.ofProcess())
                .execute(arguments);
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(spec.commandLine(), "name one of the examples");
    }
}
