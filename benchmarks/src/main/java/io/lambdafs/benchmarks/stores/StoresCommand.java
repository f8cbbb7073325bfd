package io.lambdafs.benchmarks.stores;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench stores}. */
@Command(
        name = "stores",
        description = "Measure a store server: reads, commits and listings over the wire; then dump and load. "
                + "Starts temporary stores.")
public final class StoresCommand extends ReportedCommand {
    @Option(names = "--store", paramLabel = "embedded|postgres|ndb", description = "Engine (default ${DEFAULT-VALUE}).")
    private String engine = "embedded";

    @Option(
            names = "--inodes",
            paramLabel = "N",
            description = "Number of INodes, at least some 20,000 (default ${DEFAULT-VALUE}).")
    private int inodes = 200_000;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns (default ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each kind in a turn (default ${DEFAULT-VALUE}).")
    private double seconds = 3;

    @Option(
            names = "--loads",
            paramLabel = "N",
            description = {
                "Dumps, each loaded into a second, emptied store (default ${DEFAULT-VALUE}).",
                "Of several, the first compiles code; the median of the others counts."
            })
    private int loads = 1;

    public StoresCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws IOException {
        Options.check(engine.matches("embedded|postgres|ndb"), "--store is embedded, postgres or ndb, not " + engine);
        Options.check(inodes >= 1 && inodes <= 20_000_000, "--inodes is 1..20,000,000, not " + inodes);
        Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
        Options.check(seconds >= 0.1 && seconds <= 600, "--seconds is 0.1..600, not " + seconds);
        Options.check(loads >= 1 && loads <= 100, "--loads is 1..100, not " + loads);
        Path folder = Files.createTempDirectory("lambdafs-stores-");
        try {
            StoresBench.Settings settings = new StoresBench.Settings(engine, inodes, rounds, seconds, loads);
            StoresBench.Result result = new StoresBench(settings, folder, console).run();
            return new BenchResult(json(settings, result), text(settings, result));
        } finally {
            Folders.remove(folder, console::say);
        }
    }

    static ObjectNode json(StoresBench.Settings settings, StoresBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("store", settings.engine())
                .put("inodes", settings.filled())
                .put("dumpPerSecond", Math.round(result.dumped()))
                .put("loadPerSecond", Math.round(result.loaded().verified()))
                .put("loadWritePerSecond", Math.round(result.loaded().written()));
        if (result.loads().size() > 1) {
            tree.put("firstDumpPerSecond", Math.round(result.dumps().get(0)));
            tree.put("firstLoadPerSecond", Math.round(result.loads().get(0).verified()));
        }
        for (Kind kind : Kind.values()) {
            spread(result, kind)
                    .writeTo(tree.withObject("/operations")
                            .putObject(kind.label())
                            .putObject("perSecond"));
        }
        return tree;
    }

    private static Spread spread(StoresBench.Result result, Kind kind) {
        return Spread.of(Objects.requireNonNull(result.store().get(kind)));
    }

    static String text(StoresBench.Settings settings, StoresBench.Result result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s, %,d INodes; operations a second, %d at once, median of %d turns of %.1f s%n",
                settings.engine(),
                settings.filled(),
                Kind.IN_FLIGHT,
                settings.rounds(),
                settings.seconds()));
        for (Kind kind : Kind.values()) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %-8s %,9.0f%n",
                    kind.label(),
                    spread(result, kind).median()));
        }
        text.append(line("dump", result.dumped()));
        if (result.dumps().size() > 1) {
            text.append(line("  first", result.dumps().get(0)));
        }
        text.append(line("load", result.loaded().verified()))
                .append(line("  writes", result.loaded().written()));
        if (result.loads().size() > 1) {
            text.append(line("  first", result.loads().get(0).verified()));
        }
        return text.toString().stripTrailing();
    }

    private static String line(String what, double perSecond) {
        return String.format(Locale.ROOT, "  %-8s %,9.0f INodes a second%n", what, perSecond);
    }
}
