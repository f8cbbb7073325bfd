package io.lambdafs.cluster.quota;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.format.QuotaCheck;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lambdafs quota}: limits of directories, also by the options of {@code hdfs dfsadmin}. */
@Command(
        name = "quota",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Change the quotas of directories, show or check them.",
            "Takes the options of \"hdfs dfsadmin\" too: -setQuota N DIR…, -clrQuota DIR…, -setSpaceQuota SIZE DIR…, "
                    + "-clrSpaceQuota DIR….",
            "Only a superuser sets a quota. It may lie below what is there; then nothing more is admitted."
        })
public final class QuotaCommand implements Callable<Integer> {
    private static final String ROW = "%12s %12s %19s %19s  %s";

    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "-setQuota",
            paramLabel = "N",
            converter = Amount.Converter.class,
            description = "Set the limit of files and directories, itself counted.")
    private @Nullable Amount setNames;

    @Option(names = "-clrQuota", description = "Remove that limit.")
    private boolean clearNames;

    @Option(
            names = "-setSpaceQuota",
            paramLabel = "SIZE",
            converter = Amount.Converter.class,
            description = "Set the limit of bytes × replication.")
    private @Nullable Amount setSpace;

    @Option(names = "-clrSpaceQuota", description = "Remove that limit.")
    private boolean clearSpace;

    @Parameters(paramLabel = "DIR", arity = "0..*", description = "Directories.")
    private List<String> paths = List.of();

    public QuotaCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        long names = number("-setQuota", setNames, clearNames);
        long space = number("-setSpaceQuota", setSpace, clearSpace);
        if (paths.isEmpty() || (names == Quota.KEEP && space == Quota.KEEP)) {
            throw new ParameterException(
                    spec.commandLine(), "quota: a command (set, clear, show, check), or an option and directories");
        }
        return change(directory, paths, names, space);
    }

    private long number(String option, @Nullable Amount set, boolean clear) {
        if (set != null && clear) {
            throw new ParameterException(spec.commandLine(), "quota: " + option + " and its opposite");
        }
        return clear ? Quota.NONE : set == null ? Quota.KEEP : set.value();
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Change limits of a directory.")
    int set(
            @Mixin DirectoryOption cluster,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Option(
                            names = "--files",
                            paramLabel = "N",
                            converter = Amount.Converter.class,
                            description = "Files and directories, itself counted: 1000, 10k.")
                    @Nullable
                    Amount files,
            @Option(
                            names = "--space",
                            paramLabel = "SIZE",
                            converter = Amount.Converter.class,
                            description = "Bytes × replication: 500m, 10g.")
                    @Nullable
                    Amount space) {
        if (files == null && space == null) {
            throw new ParameterException(spec.commandLine(), "quota set: --files or --space is missing");
        }
        return change(
                cluster,
                List.of(path),
                files == null ? Quota.KEEP : files.value(),
                space == null ? Quota.KEEP : space.value());
    }

    @Command(
            name = "clear",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Remove the limits of a directory, or one of them.")
    int clear(
            @Mixin DirectoryOption cluster,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Option(names = "--files", description = "Only that of files and directories.") boolean files,
            @Option(names = "--space", description = "Only that of bytes × replication.") boolean space) {
        boolean all = files == space;
        return change(
                cluster, List.of(path), all || files ? Quota.NONE : Quota.KEEP, all || space ? Quota.NONE : Quota.KEEP);
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Show the quota of a directory, and what is charged to it.")
    int show(
            @Mixin DirectoryOption cluster,
            @Parameters(paramLabel = "DIR", description = "Directory.") String path,
            @Mixin JsonOption json) {
        FsPath asked = FsPath.of(path);
        Reply.Totals used =
                cluster.calling(console, fs -> BlockingLambdaFs.await(fs.async().usage(asked)));
        long names = used.files() + used.directories();
        if (json.wanted()) {
            console.print(json(asked, used.quota(), names, used.space())
                    .put("schema", 1)
                    .toString());
        } else {
            header();
            line(asked, used.quota(), names, used.space());
        }
        return ExitCode.OK.number();
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Compare what directories are charged with a recount.",
                "Reads a snapshot past the instances while the cluster serves, and changes nothing. It finds the store "
                        + "as fsck does. Exit code 1 if a total is wrong; upgrade --finalize mends it."
            })
    int check(@Mixin OperatedOptions cluster, @Mixin JsonOption json) {
        QuotaCheck found = cluster.find(console).rows(QuotaCheck::new);
        Map<FsPath, DirectoryTotals> wrong = found.wrong();
        if (json.wanted()) {
            console.print(json(found, wrong).toString());
        } else {
            header();
            found.quotas()
                    .forEach((path, of) -> line(
                            path,
                            of.quota(),
                            Quota.names(of.charged()),
                            of.charged().space()));
            wrong.forEach((path, lacking) -> console.print("wrong: " + path + " lacks " + lacking));
            console.print(String.format(
                    Locale.ROOT,
                    "INodes counted: %,d; %s",
                    found.inodes(),
                    !found.saysExact()
                            ? "the store keeps no exact totals (upgrade --finalize counts them)"
                            : wrong.isEmpty()
                                    ? "all directories are charged with what they have"
                                    : "wrong: " + wrong.size()));
        }
        return (wrong.isEmpty() && found.saysExact() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private static ObjectNode json(QuotaCheck found, Map<FsPath, DirectoryTotals> wrong) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("inodes", found.inodes())
                .put("exact", found.saysExact());
        ArrayNode quotas = tree.putArray("quotas");
        found.quotas()
                .forEach((path, of) -> quotas.add(json(
                        path,
                        of.quota(),
                        Quota.names(of.charged()),
                        of.charged().space())));
        ArrayNode lacking = tree.putArray("wrong");
        wrong.forEach((path, lacks) -> lacking.addObject()
                .put("path", path.toString())
                .put("files", lacks.files())
                .put("directories", lacks.directories())
                .put("bytes", lacks.bytes())
                .put("space", lacks.space()));
        return tree;
    }

    private int change(DirectoryOption option, List<String> directories, long names, long space) {
        List<FsPath> all = directories.stream().map(FsPath::of).toList();
        return option.calling(console, fs -> {
            for (FsPath each : all) {
                BlockingLambdaFs.await(fs.async().setQuota(each, names, space));
            }
            return ExitCode.OK.number();
        });
    }

    private static ObjectNode json(FsPath path, Quota quota, long names, long space) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("path", path.toString())
                .put("namesLimit", quota.names())
                .put("names", names)
                .put("spaceLimit", quota.space())
                .put("space", space);
    }

    private void header() {
        console.print(String.format(Locale.ROOT, ROW, "names", "limit", "× replication", "limit", "path"));
    }

    private void line(FsPath path, Quota quota, long names, long space) {
        console.print(String.format(Locale.ROOT, ROW, names, limit(quota.names()), space, limit(quota.space()), path));
    }

    private static String limit(long number) {
        return number == Quota.NONE ? "none" : Long.toString(number);
    }
}
