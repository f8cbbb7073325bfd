package io.lambdafs.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.PathInfo;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.FsPath;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lambdafs info PATH}. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show the attributes, blocks and deployment of a path.",
            "Needs the rights of a stat, and READ for the blocks of a file."
        })
public final class InfoCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Parameters(paramLabel = "PATH", description = "File or directory.")
    private String path = "";

    @Mixin
    private JsonOption json = new JsonOption();

    InfoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        FsPath asked = FsPath.of(path);
        ObjectNode info = directory.calling(console, fs -> PathInfo.ask(fs, asked));
        List<String> lines = json.wanted() ? List.of(info.toString()) : PathInfo.lines(info);
        lines.forEach(console::print);
        return ExitCode.OK.number();
    }
}
