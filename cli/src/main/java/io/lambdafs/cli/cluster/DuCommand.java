package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.store.format.TreeTotals;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lambdafs du}: what directories contain at one moment, read from the store. */
@Command(
        name = "du",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show the files, bytes and replicated bytes of directories.",
            "Reads all INodes of a snapshot, past the instances: the totals are exact, and of one moment, while the "
                    + "cluster serves. It finds the store as fsck does."
        })
public final class DuCommand implements Callable<Integer> {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "PATH", arity = "0..1", description = "Directory (default: ${DEFAULT-VALUE}).")
    private String path = "/";

    @Mixin
    private OperatedOptions cluster = new OperatedOptions();

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Levels below PATH with lines of their own (default: ${DEFAULT-VALUE}).")
    private int depth = 1;

    @Mixin
    private JsonOption json = new JsonOption();

    public DuCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (depth < 0) {
            throw new ParameterException(spec.commandLine(), "du: --depth is at least 0, not " + depth);
        }
        FsPath top = FsPath.of(path);
        Map<FsPath, DirectoryTotals> found =
                cluster.find(console).rows(TreeTotals::new).below(top, depth);
        if (json.wanted()) {
            ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
            ArrayNode directories = tree.putArray("directories");
            found.forEach((each, totals) -> directories.add(json(each, totals)));
            console.print(tree.toString());
        } else {
            line("bytes", "× replication", "files", "directories", "path");
            found.forEach((each, of) -> line(of.bytes(), of.space(), of.files(), of.directories(), each));
        }
        return ExitCode.OK.number();
    }

    private static ObjectNode json(FsPath path, DirectoryTotals totals) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("path", path.toString())
                .put("files", totals.files())
                .put("directories", totals.directories())
                .put("bytes", totals.bytes())
                .put("space", totals.space());
    }

    private void line(Object... columns) {
        console.print(String.format(Locale.ROOT, "%19s %19s %12s %12s  %s", columns));
    }
}
