package io.lambdafs.cluster.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.Difference;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lambdafs snapshot}: directories as they were at a moment. */
@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Manage snapshots of a directory.",
            "Read a snapshot at DIR/.snapshot/NAME. Creating one takes the same time, however much is below.",
            "A superuser allows snapshots of a directory; its owner makes them."
        })
public final class SnapshotCommand implements Runnable {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public SnapshotCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "snapshot: a command (create, list, diff, rename, delete, allow, forbid)");
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Create a snapshot of a directory.")
    int create(
            @Mixin DirectoryOption cluster,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Parameters(paramLabel = "NAME", description = "Name of the snapshot.") String name) {
        return change(cluster, path, Action.CREATE, name, "");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "List the snapshots of a directory, and when each was made.")
    int list(
            @Mixin DirectoryOption cluster,
            @Mixin JsonOption json,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path) {
        FsPath all = FsPath.of(path).child(".snapshot");
        ArrayNode told = JsonNodeFactory.instance.arrayNode();
        return cluster.calling(console, fs -> {
            for (Iterator<Attributes> each = fs.list(all); each.hasNext(); ) {
                Attributes one = each.next();
                Instant made = Instant.ofEpochMilli(one.mtime()).truncatedTo(ChronoUnit.SECONDS);
                if (json.wanted()) {
                    told.addObject()
                            .put("path", all.child(one.name()).toString())
                            .put("made", made.toString());
                } else {
                    console.print(made + "  " + all.child(one.name()));
                }
            }
            if (json.wanted()) {
                printObject("snapshots", told);
            }
            return ExitCode.OK.number();
        });
    }

    @Command(
            name = "diff",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Compare two snapshots of a directory, or one with now.",
                "Prints M for what was modified, + created, - deleted, R renamed, as hdfs snapshotDiff does."
            })
    int diff(
            @Mixin DirectoryOption cluster,
            @Mixin JsonOption json,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Parameters(paramLabel = "FROM", description = "Name of the snapshot to begin with.") String from,
            @Parameters(
                            paramLabel = "TO",
                            arity = "0..1",
                            defaultValue = "",
                            description = "Name of the other (default: what is there now).")
                    String to) {
        return cluster.calling(console, fs -> {
            List<Difference> found = BlockingLambdaFs.await(fs.async().differences(FsPath.of(path), from, to));
            if (!json.wanted()) {
                found.forEach(each -> console.print(each.toString()));
                return ExitCode.OK.number();
            }
            ArrayNode told = JsonNodeFactory.instance.arrayNode();
            for (Difference each : found) {
                ObjectNode one = told.addObject()
                        .put("difference", each.kind().name().toLowerCase(Locale.ROOT))
                        .put("path", each.path());
                if (each.kind() == Difference.Kind.RENAMED) {
                    one.put("target", each.target());
                }
            }
            printObject("differences", told);
            return ExitCode.OK.number();
        });
    }

    private void printObject(String name, ArrayNode array) {
        console.print(JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .set(name, array)
                .toString());
    }

    @Command(
            name = "rename",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Rename a snapshot.")
    int rename(
            @Mixin DirectoryOption cluster,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Parameters(paramLabel = "NAME", description = "Name of the snapshot.") String name,
            @Parameters(paramLabel = "NEW", description = "New name.") String newName) {
        return change(cluster, path, Action.RENAME, name, newName);
    }

    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Delete a snapshot; what only it holds is removed later.")
    int delete(
            @Mixin DirectoryOption cluster,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Parameters(paramLabel = "NAME", description = "Name of the snapshot.") String name) {
        return change(cluster, path, Action.DELETE, name, "");
    }

    @Command(
            name = "allow",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Allow snapshots of a directory.")
    int allow(@Mixin DirectoryOption cluster, @Parameters(paramLabel = "DIR", description = "Directory.") String path) {
        return change(cluster, path, Action.ALLOW, "", "");
    }

    @Command(
            name = "forbid",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Forbid snapshots of a directory that has none.")
    int forbid(
            @Mixin DirectoryOption cluster, @Parameters(paramLabel = "DIR", description = "Directory.") String path) {
        return change(cluster, path, Action.DISALLOW, "", "");
    }

    private int change(DirectoryOption option, String directory, Action action, String name, String newName) {
        FsPath path = FsPath.of(directory);
        return option.calling(console, fs -> {
            BlockingLambdaFs.await(fs.async().changeSnapshots(path, action, name, newName));
            return ExitCode.OK.number();
        });
    }
}
