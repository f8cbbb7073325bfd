package io.lambdafs.cli;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code lambdafs help}: everyday commands, all of them, or one. Confined to one thread. */
@Command(name = "help", mixinStandardHelpOptions = true, description = "Show this help, or that of a command.")
final class HelpCommand implements Callable<Integer> {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--all", description = "List every command.")
    private boolean all;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Command to explain, such as cluster start.")
    private List<String> words = List.of();

    HelpCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        if (words.size() == 1 && CommandGroups.OF_LAUNCHER.containsKey(words.get(0))) {
            console.print(CommandGroups.OF_LAUNCHER.get(words.get(0)) + " See: lambdafs " + words.get(0) + " --help");
        } else if (all && words.isEmpty()) {
            console.print(
                    String.join(System.lineSeparator(), CommandGroups.all(root)).strip());
        } else {
            console.print(named(root).getUsageMessage().stripTrailing());
        }
        return ExitCode.OK.number();
    }

    private CommandLine named(CommandLine root) {
        CommandLine at = root;
        for (String word : words) {
            CommandLine next = at.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(at, List.of(word));
            }
            at = next;
        }
        return at;
    }
}
