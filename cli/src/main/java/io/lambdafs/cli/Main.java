package io.lambdafs.cli;

import io.lambdafs.cli.cluster.ClusterCommand;
import io.lambdafs.cli.cluster.FsckCommand;
import io.lambdafs.cli.cluster.UpgradeCommand;
import io.lambdafs.cli.load.QuickstartCommand;
import io.lambdafs.cli.load.ReplayCommand;
import io.lambdafs.cli.sharing.ShareCommand;
import io.lambdafs.cli.subtree.BenchCommand;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

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
            "Exit codes: 0 done, 1 the operation failed, 2 wrong usage, 3 a service cannot be reached.",
            "The test suite: lambdafs test"
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Console.ofProcess(), arguments));
    }

    /** Runs one command; its exit code. */
    public static int run(Console console, String... arguments) {
        // Hadoop's shell has a syntax of its own, and its start-up time is most of what it costs.
        if (arguments.length > 1 && arguments[0].equals("fs") && !FsCommand.isHelp(arguments[1])) {
            try {
                return FsCommand.run(console, Arrays.asList(arguments).subList(1, arguments.length));
            } catch (RuntimeException e) {
                return failed(console, e);
            }
        }
        return commandLine(console).execute(arguments);
    }

    static CommandLine commandLine(Console console) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new QuickstartCommand(console));
        line.addSubcommand(new ClusterCommand(console));
        line.addSubcommand(new FsCommand(console));
        line.addSubcommand(new FsckCommand(console));
        line.addSubcommand(new UpgradeCommand(console));
        line.addSubcommand(new ShareCommand(console));
        line.addSubcommand(new ReplayCommand(console));
        line.addSubcommand(BenchCommand.line(console));
        line.addSubcommand(new CompletionCommand(console));
        line.addSubcommand(new CommandLine.HelpCommand());
        line.setOut(new java.io.PrintWriter(console.out(), true, java.nio.charset.StandardCharsets.UTF_8));
        line.setErr(new java.io.PrintWriter(console.err(), true, java.nio.charset.StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.setOverwrittenOptionsAllowed(false);
        line.setParameterExceptionHandler((wrong, given) -> refused(console, wrong));
        line.setExecutionExceptionHandler((thrown, at, parsed) -> failed(console, thrown));
        return line;
    }

    private static int failed(Console console, Exception thrown) {
        CommandFailure failure = CommandFailure.of(thrown);
        console.say(failure.line());
        return failure.exit().number();
    }

    private static int refused(Console console, ParameterException wrong) {
        CommandLine at = wrong.getCommandLine();
        console.say("lambdafs: " + wrong.getMessage());
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            suggestion(at, unmatched.getUnmatched().get(0))
                    .ifPresent(known -> console.say("Did you mean " + known + "?"));
        }
        console.say(at.getHelp().fullSynopsis().stripTrailing());
        console.say("Try: " + at.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.number();
    }

    private static Optional<String> suggestion(CommandLine at, String word) {
        List<String> known = new ArrayList<>();
        if (word.startsWith("-")) {
            String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            for (OptionSpec option : at.getCommandSpec().options()) {
                known.add(option.longestName());
            }
            return Nearest.of(name, known);
        }
        return Nearest.of(word, at.getSubcommands().keySet());
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "which command? One of " + String.join(", ", spec.subcommands().keySet()));
    }
}
