package io.lambdafs.cli;

import io.lambdafs.benchmarks.trace.ReplayCommand;
import io.lambdafs.cli.cluster.BlocksCommand;
import io.lambdafs.cli.cluster.ClusterCommand;
import io.lambdafs.cli.cluster.DashboardCommand;
import io.lambdafs.cli.cluster.DatanodeCommand;
import io.lambdafs.cli.cluster.DoctorCommand;
import io.lambdafs.cli.cluster.DuCommand;
import io.lambdafs.cli.cluster.DumpCommand;
import io.lambdafs.cli.cluster.FormatCommand;
import io.lambdafs.cli.cluster.FsckCommand;
import io.lambdafs.cli.cluster.GcCommand;
import io.lambdafs.cli.cluster.LoadCommand;
import io.lambdafs.cli.cluster.MigrateCommand;
import io.lambdafs.cli.cluster.UpgradeCommand;
import io.lambdafs.cluster.quota.QuotaCommand;
import io.lambdafs.cluster.snapshot.SnapshotCommand;
import io.lambdafs.cluster.terminal.CommandLines;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.cluster.trash.TrashCommand;
import io.lambdafs.cluster.watch.StatsCommand;
import io.lambdafs.cluster.watch.TopCommand;
import io.lambdafs.deploy.aws.command.AwsCommand;
import io.lambdafs.deploy.command.DeployCommand;
import io.lambdafs.door.hdfs.command.DoorCommand;
import io.lambdafs.door.hdfs.transfer.ExportCommand;
import io.lambdafs.door.hdfs.transfer.ImportCommand;
import io.lambdafs.door.mount.command.MountCommand;
import io.lambdafs.door.s3.command.S3DoorCommand;
import io.lambdafs.hammer.fleet.QuickstartCommand;
import io.lambdafs.hammer.scale.SimulateCommand;
import io.lambdafs.hammer.workers.WorkerCommand;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;

/** The {@code lambdafs} command. Exit codes are those of {@link ExitCode}. */
@Command(
        name = "lambdafs",
        mixinStandardHelpOptions = true,
        description = "An elastic file-system metadata service on serverless functions.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "lambdafs help --all lists every command; lambdafs help COMMAND explains one.",
            "Exit codes: 0 done, 1 the operation failed, 2 wrong usage, 3 a service cannot be reached."
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Console.ofProcess(), arguments));
    }

    /** Runs one command; returns its exit code. */
    public static int run(Console console, String... arguments) {
        // Bypass picocli: Hadoop's shell has its own syntax, and startup is most of its cost.
        if (arguments.length > 1 && arguments[0].equals("fs") && !FsCommand.isHelp(arguments[1])) {
            try {
                return FsCommand.run(console, Arrays.asList(arguments).subList(1, arguments.length));
            } catch (RuntimeException e) {
                return CommandLines.failed(console, e);
            }
        }
        return commandLine(console).execute(arguments);
    }

    static CommandLine commandLine(Console console) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new QuickstartCommand(console));
        line.addSubcommand(new ClusterCommand(console));
        line.addSubcommand(new FsCommand(console));
        line.addSubcommand(new InfoCommand(console));
        line.addSubcommand(new FsckCommand(console));
        line.addSubcommand(new DuCommand(console));
        line.addSubcommand(new QuotaCommand(console)).addSubcommand(new TrashCommand(console));
        line.addSubcommand(new SnapshotCommand(console));
        line.addSubcommand(new DatanodeCommand(console));
        line.addSubcommand(new StoragePoliciesCommand(console));
        line.addSubcommand(new GcCommand(console));
        line.addSubcommand(new BlocksCommand(console));
        line.addSubcommand(new UpgradeCommand(console));
        line.addSubcommand(new FormatCommand(console));
        line.addSubcommand(new DeployCommand(console));
        line.addSubcommand(new DoctorCommand(console));
        line.addSubcommand(new DashboardCommand(console));
        line.addSubcommand(new StatsCommand(console)).addSubcommand(new TopCommand(console));
        line.addSubcommand(new AwsCommand(console));
        line.addSubcommand(new DumpCommand(console));
        line.addSubcommand(new LoadCommand(console));
        line.addSubcommand(new MigrateCommand(console));
        line.addSubcommand(new ShareCommand(console)).addSubcommand(new MountCommand(console));
        line.addSubcommand(S3DoorCommand.addTo(new DoorCommand(console), console));
        line.addSubcommand(new ImportCommand(console));
        line.addSubcommand(new ExportCommand(console));
        line.addSubcommand(new ReplayCommand(console));
        line.addSubcommand(new WorkerCommand(console));
        line.addSubcommand(BenchCommand.line(console));
        line.addSubcommand(new SimulateCommand(console));
        line.addSubcommand(new CompletionCommand(console));
        line.addSubcommand(new HelpCommand(console));
        line.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
        line.getHelpSectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
                        help -> lines(CommandGroups.everyday(help.commandSpec().commandLine())));
        return CommandLines.configured(line, console);
    }

    private static String lines(List<String> lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "which command? One of " + String.join(", ", spec.subcommands().keySet()));
    }
}
