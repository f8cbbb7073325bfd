package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.store.format.Fsck;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs fsck}: checks the stored tree (PROTOCOL: I5) without changing anything. */
@Command(
        name = "fsck",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Check the stored tree: reachability, counts, leftovers.",
            "Reads a snapshot and changes nothing. It reads the files of an embedded store, so run it where "
                    + "they are, whether the cluster runs or not; any other store, or a cluster elsewhere, must be "
                    + "running.",
            "Exit code 1 if it finds a fault. Unfinished work (a move in progress, a removed tree to be "
                    + "reclaimed) is shown, but is not a fault."
        })
public final class FsckCommand implements Callable<Integer> {
    /** Maximum number of problems shown; --json has them all. */
    private static final int SHOWN = 100;

    private final Console console;

    @Mixin
    private OperatedOptions cluster = new OperatedOptions();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public FsckCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Fsck.Report report = cluster.find(console).rows(Fsck::check);
        if (json) {
            console.print(json(report).toString());
        } else {
            print(report);
        }
        return (report.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private static ObjectNode json(Fsck.Report report) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1).put("inodes", report.inodes());
        report.problems().forEach(tree.putArray("problems")::add);
        report.unfinished().forEach(tree.putArray("unfinished")::add);
        return tree;
    }

    private void print(Fsck.Report report) {
        show("", report.problems());
        show("unfinished: ", report.unfinished());
        console.print(String.format(
                Locale.ROOT,
                "INodes in the tree: %,d; %s",
                report.inodes(),
                report.problems().isEmpty()
                        ? "it is whole"
                        : report.problems().size() == 1
                                ? "1 problem"
                                : report.problems().size() + " problems"));
    }

    private void show(String label, List<String> lines) {
        lines.stream().limit(SHOWN).forEach(line -> console.print(label + line));
        if (lines.size() > SHOWN) {
            console.print(label + "… and " + (lines.size() - SHOWN) + " more (--json has them all)");
        }
    }
}
