package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.cluster.dump.Dump;
import io.lambdafs.cluster.dump.DumpBucket;
import io.lambdafs.cluster.dump.DumpFolder;
import io.lambdafs.cluster.options.BucketOptions;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lambdafs dump}: writes a snapshot of the metadata to files. */
@Command(
        name = "dump",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Write a snapshot of all metadata while the cluster serves.",
            "Includes the contents stored with the metadata; contents in blocks stay where they are. Writes "
                    + "lines of JSON in checksummed segments (docs/DUMP.md) to a new directory.",
            "With --keep N, writes to a folder of dumps, each named after its time, and keeps the newest N.",
            "A bucket, s3://BUCKET/PREFIX, is a folder of dumps too, with credentials as for AWS's tools; the dump is "
                    + "first written to this machine."
        })
public final class DumpCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(
            paramLabel = "DUMP",
            description = "Directory to create; with --keep, the folder of dumps; or s3://BUCKET[/PREFIX].")
    private String target = "";

    @Mixin
    private OperatedOptions cluster = new OperatedOptions();

    @Option(
            names = "--resume",
            description = "Resume an interrupted dump, within five minutes: the store keeps its snapshot no longer.")
    private boolean resume;

    @Mixin
    private BucketOptions bucket = new BucketOptions();

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "Keep the newest N complete dumps in the folder, and remove the others.")
    private @Nullable Integer keep;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public DumpCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        long began = System.nanoTime();
        if (keep != null && (keep < 1 || resume)) {
            throw FsException.invalidArgument("--keep takes a number from 1 on, and no --resume: name the dump there");
        }
        if (DumpBucket.isOne(target)) {
            Options.check(!resume, "--resume is for a directory: a dump into a bucket begins anew");
            return bucket.with(target, (there, scratch) -> {
                Path directory = scratch.resolve(DumpFolder.name(Instant.now()));
                Dump.Report report = dump(directory, began);
                there.put(directory);
                List<String> removed = keep == null ? List.of() : there.keep(keep);
                print(report, target + (target.endsWith("/") ? "" : "/") + directory.getFileName(), began);
                removed.forEach(each -> console.say("removed " + each));
                return ExitCode.OK.number();
            });
        }
        DumpFolder folder = new DumpFolder(Path.of(target));
        Path directory = keep == null ? Path.of(target) : folder.at(Instant.now());
        Dump.Report report = dump(directory, began);
        List<Path> removed = keep == null ? List.of() : folder.keep(keep);
        print(report, directory.toString(), began);
        removed.forEach(each -> console.say("removed " + each));
        return ExitCode.OK.number();
    }

    private Dump.Report dump(Path directory, long began) {
        Dump.Report report = cluster.find(console)
                .withStore(store -> Dump.run(store, directory, resume, DumpCommand.progress(console, began)));
        console.endProgress();
        return report;
    }

    private void print(Dump.Report report, String where, long began) {
        double seconds = (System.nanoTime() - began) / 1e9;
        console.print(
                json
                        ? JsonNodeFactory.instance
                                .objectNode()
                                .put("schema", 1)
                                .put("dump", report.dump())
                                .put(
                                        "directory",
                                        DumpBucket.isOne(where)
                                                ? where
                                                : Path.of(where)
                                                        .toAbsolutePath()
                                                        .toString())
                                .put("createdMillis", report.createdMillis())
                                .put("inodes", report.inodes())
                                .put("rows", report.rows())
                                .put("bytes", report.bytes())
                                .put("segments", report.segments())
                                .put("seconds", seconds)
                                .toString()
                        : String.format(
                                Locale.ROOT,
                                "dumped %,d INodes (%,d rows, %,d bytes in %,d segments) in %.1f s to %s",
                                report.inodes(),
                                report.rows(),
                                report.bytes(),
                                report.segments(),
                                seconds,
                                where));
    }

    /** Shows rows and rows per second. */
    static io.lambdafs.cluster.dump.Progress progress(Console console, long began) {
        return (what, rows, all) -> console.progress(String.format(
                Locale.ROOT,
                "  %s: %,d%s rows, %,.0f/s",
                what,
                rows,
                all == 0 ? "" : String.format(Locale.ROOT, " of %,d", all),
                rows / Math.max(1e-9, (System.nanoTime() - began) / 1e9)));
    }
}
