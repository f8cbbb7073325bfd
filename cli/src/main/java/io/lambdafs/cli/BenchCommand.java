package io.lambdafs.cli;

import io.lambdafs.benchmarks.against.AgainstCommand;
import io.lambdafs.benchmarks.listing.ListingCommand;
import io.lambdafs.benchmarks.micro.FailoverCommand;
import io.lambdafs.benchmarks.micro.FilesCommand;
import io.lambdafs.benchmarks.micro.MicroCommand;
import io.lambdafs.benchmarks.phases.MdtestCommand;
import io.lambdafs.benchmarks.phases.NnbenchCommand;
import io.lambdafs.benchmarks.phases.TreeTestCommand;
import io.lambdafs.benchmarks.stores.StoresCommand;
import io.lambdafs.benchmarks.subtree.SubtreeCommand;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.coldstart.ColdstartCommand;
import io.lambdafs.hammer.cost.CostCommand;
import io.lambdafs.hammer.fleet.FleetCommand;
import io.lambdafs.hammer.grid.KnobsCommand;
import io.lambdafs.hammer.grid.ScalingCommand;
import io.lambdafs.hammer.grid.WaysCommand;
import io.lambdafs.hammer.lambda.LambdaCommand;
import io.lambdafs.hammer.load.AutoscaleCommand;
import io.lambdafs.hammer.load.FaultsCommand;
import io.lambdafs.hammer.measure.CompareCommand;
import io.lambdafs.hammer.tail.TailCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lambdafs bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measure the service: each bench answers one question.",
        footer = {
            "",
            "Also jobs: TeraSort and TestDFSIO with and without the block cache, and over S3A (built with the "
                    + "examples)."
        })
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private BenchCommand() {}

    /** Returns the command with all benches as subcommands. */
    public static CommandLine line(Console console) {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new MicroCommand(console))
                .addSubcommand(new FilesCommand(console))
                .addSubcommand(new AgainstCommand(console))
                .addSubcommand(new SubtreeCommand(console))
                .addSubcommand(new FaultsCommand(console))
                .addSubcommand(new FailoverCommand(console))
                .addSubcommand(new ColdstartCommand(console))
                .addSubcommand(new AutoscaleCommand(console))
                .addSubcommand(new FleetCommand(console))
                .addSubcommand(new CostCommand(console))
                .addSubcommand(new CompareCommand(console))
                .addSubcommand(new ScalingCommand(console))
                .addSubcommand(new WaysCommand(console))
                .addSubcommand(new KnobsCommand(console))
                .addSubcommand(new NnbenchCommand(console))
                .addSubcommand(new TreeTestCommand(console))
                .addSubcommand(new MdtestCommand(console))
                .addSubcommand(new ListingCommand(console))
                .addSubcommand(new TailCommand(console))
                .addSubcommand(new LambdaCommand(console))
                .addSubcommand(new StoresCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "bench: which measurement? There are: "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
