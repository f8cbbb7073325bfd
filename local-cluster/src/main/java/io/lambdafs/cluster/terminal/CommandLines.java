package io.lambdafs.cluster.terminal;

import io.lambdafs.model.Nearest;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Configures parsing and error reporting, the same for every command. Stateless. */
public final class CommandLines {
    private CommandLines() {}

    /** Configures a command line to write to a console and to use {@link ExitCode}; returns it. */
    public static CommandLine configured(CommandLine line, Console console) {
        line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.setOverwrittenOptionsAllowed(false);
        line.setExecutionStrategy(CommandLines::run);
        line.setParameterExceptionHandler((wrong, given) -> refused(console, wrong));
        line.setExecutionExceptionHandler((thrown, at, parsed) -> failed(console, thrown));
        return line;
    }

    /** Runs a command, or shows its help; refuses unknown words even beside {@code --help}. */
    private static int run(ParseResult parsed) {
        for (ParseResult each = parsed; each != null; each = each.hasSubcommand() ? each.subcommand() : null) {
            if (!each.unmatched().isEmpty()) {
                throw new UnmatchedArgumentException(each.commandSpec().commandLine(), each.unmatched());
            }
        }
        return new RunLast().execute(parsed);
    }

    /** Prints the failure of a command; returns its exit code. */
    public static int failed(Console console, Exception thrown) {
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
}
