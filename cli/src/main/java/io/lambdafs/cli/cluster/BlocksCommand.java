package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.blocks.BlockInspections;
import io.lambdafs.cluster.blocks.BlockMoves;
import io.lambdafs.cluster.blocks.BlockReportSummary;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.options.PlaceOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.datanode.BlockMove;
import io.lambdafs.model.FsPath;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lambdafs blocks}. */
@Command(
        name = "blocks",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Check and move the blocks of files, and report on them.")
public final class BlocksCommand implements Runnable {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public BlocksCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "blocks: move, check or report?");
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Check that every written block has its object, of its length.",
                "With --deep, also compares every byte with its checksum. Changes nothing, and may run beside "
                        + "writers: blocks moved or deleted meanwhile are not reported. Run it where the cluster's metadata "
                        + "service runs, with the credentials of the datanodes. Exit code 1 if it finds a fault. For "
                        + "objects without a block, see gc."
            })
    int check(
            @Mixin PlaceOptions cluster,
            @Option(names = "--deep", description = "Read every byte.") boolean deep,
            @Mixin JsonOption json) {
        BlockInspections.Report report = BlockInspections.run(cluster.find(console), deep);
        if (json.wanted()) {
            ObjectNode tree = JsonNodeFactory.instance
                    .objectNode()
                    .put("schema", 1)
                    .put("blocks", report.blocks())
                    .put("bytes", report.bytes());
            report.faults().forEach(tree.putArray("faults")::add);
            console.print(tree.toString());
        } else {
            report.faults().forEach(console::print);
            console.print(String.format(
                    Locale.ROOT,
                    "%,d blocks, %,d bytes: %s",
                    report.blocks(),
                    report.bytes(),
                    report.faults().isEmpty()
                            ? "all there"
                            : String.format(
                                    Locale.ROOT,
                                    "%,d cannot be read",
                                    report.faults().size())));
        }
        return (report.faults().isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    @Command(
            name = "report",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Show what the datanodes last found in their block stores.",
                "Each datanode compares its share of 256 buckets with the metadata every six hours. Reads the "
                        + "metadata only. Exit code 1 if a block has no whole object. To compare now: blocks check, gc."
            })
    int report(@Mixin OperatedOptions cluster, @Mixin JsonOption json) {
        BlockReportSummary.Report report = BlockReportSummary.read(cluster.find(console));
        if (json.wanted()) {
            console.print(report.json().toString());
        } else {
            report.lines().forEach(console::print);
        }
        return (report.isWhole() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    @Command(
            name = "move",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Move the blocks of a file or tree to another block store.",
                "Files may be read and written meanwhile. Copies each block, verifies checksums on both sides, "
                        + "and only then points its row to the new place; the old object is deleted some twenty minutes "
                        + "later. Repeat the command after an interruption. Run it where the cluster's metadata service "
                        + "runs, with the credentials of the datanodes. Exit code 1 if a block could not be moved."
            })
    int move(
            @Mixin PlaceOptions cluster,
            @Parameters(paramLabel = "PATH") String path,
            @Option(
                            names = "--to",
                            paramLabel = "NAME",
                            description =
                                    "Name of a block store, as in cluster start --blocks NAME=…, or default (default: the one of each "
                                            + "file's storage policy).")
                    @Nullable
                    String to,
            @Option(names = "--dry-run", description = "Count only; change nothing.") boolean dryRun,
            @Mixin JsonOption json) {
        BlockMove.Report report =
                BlockMoves.run(cluster.find(console), FsPath.of(path), Optional.ofNullable(to), dryRun);
        console.print(
                json.wanted()
                        ? JsonNodeFactory.instance
                                .objectNode()
                                .put("schema", 1)
                                .put("dryRun", dryRun)
                                .put("moved", report.moved())
                                .put("bytes", report.bytes())
                                .put("changed", report.changed())
                                .put("failed", report.failed())
                                .toString()
                        : String.format(
                                Locale.ROOT,
                                "%s %,d blocks, %,d bytes; %,d changed meanwhile, %,d could not be moved",
                                dryRun ? "to be moved:" : "moved",
                                report.moved(),
                                report.bytes(),
                                report.changed(),
                                report.failed()));
        return (report.failed() == 0 ? ExitCode.OK : ExitCode.FAILED).number();
    }
}
