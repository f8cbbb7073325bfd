package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.blocks.OrphanCollection;
import io.lambdafs.cluster.options.PlaceOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.datanode.Orphans;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs gc}: deletes objects and uploads that no file needs. */
@Command(
        name = "gc",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Delete objects of the block store that no file names.",
            "Also deletes unfinished uploads of writers that died. It lists the objects before it reads the "
                    + "metadata, so it may run beside writers, and twice at once; repeat it after an interruption. It "
                    + "reads the store's files, so run it where they are, with the credentials of the datanodes.",
            "Blocks of deleted files need no gc: datanodes delete them after some minutes. Exit code 1 if an "
                    + "object could not be deleted."
        })
public final class GcCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private PlaceOptions cluster = new PlaceOptions();

    @Option(names = "--dry-run", description = "Count only; change nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public GcCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Orphans.Report report = OrphanCollection.run(cluster.find(console), dryRun);
        console.print(json ? json(report).toString() : text(report));
        return (report.failed() == 0 ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private ObjectNode json(Orphans.Report report) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("dryRun", dryRun)
                .put("objects", report.objects())
                .put("bytes", report.bytes())
                .put("orphans", report.orphans())
                .put("orphanBytes", report.orphanBytes())
                .put("uploads", report.uploads())
                .put("failed", report.failed());
    }

    private String text(Orphans.Report report) {
        return String.format(
                Locale.ROOT,
                "%,d objects, %,d bytes; %s: %,d objects, %,d bytes, and %,d unfinished uploads%s",
                report.objects(),
                report.bytes(),
                dryRun ? "no file needs" : "deleted, for no file needs them",
                report.orphans(),
                report.orphanBytes(),
                report.uploads(),
                report.failed() == 0
                        ? ""
                        : String.format(Locale.ROOT, "; %,d could not be deleted now", report.failed()));
    }
}
