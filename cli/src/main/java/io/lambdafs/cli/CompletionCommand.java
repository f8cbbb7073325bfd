package io.lambdafs.cli;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lambdafs completion bash}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Print a completion script: source <(lambdafs completion bash)")
final class CompletionCommand implements Callable<Integer> {
    /** Shells that completion exists for; zsh reads bash's script after {@code bashcompinit}. */
    enum Shell {
        BASH,
        ZSH
    }

    private final Console console;

    @Parameters(index = "0", paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    CompletionCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        CommandLine whole = Main.commandLine(console);
        String script = AutoComplete.bash("lambdafs", whole);
        if (shell == Shell.ZSH) {
            console.print("autoload -U +X compinit && compinit; autoload -U +X bashcompinit && bashcompinit");
        }
        console.print(script);
        return ExitCode.OK.number();
    }
}
