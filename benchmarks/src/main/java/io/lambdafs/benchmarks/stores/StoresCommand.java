package io.lambdafs.benchmarks.stores;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Folders;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
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
        description = "Measure a store server in turns with the database's own client on the same rows: ClusterJ for "
                + "NDB, pgbench for PostgreSQL (creates only). Then dump and load, beside COPY or ClusterJ batches. "
                + "Starts temporary stores.")
public final class StoresCommand extends ReportedCommand {
    @Option(names = "--store", paramLabel = "embedded|postgres|ndb", description = "Engine (default ${DEFAULT-VALUE}).")
    private String engine = "embedded";

    @Option(
            names = "--inodes",
            paramLabel = "N",
            description = "Number of INodes, at least some 20,000 (default ${DEFAULT-VALUE}).")
    private int inodes = 200_000;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each side (default ${DEFAULT-VALUE}).")
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
            Folders.remove(folder, console);
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
        Raw.Copied copied = result.copied();
        if (copied != null) {
            tree.put("rawReadPerSecond", Math.round(copied.read()))
                    .put("rawWritePerSecond", Math.round(copied.written()));
        }
        result.rawFailure().ifPresent(why -> tree.put("rawFailure", why));
        for (Kind kind : Kind.values()) {
            ObjectNode each = tree.withObject("/operations").putObject(kind.label());
            Spread.of(Objects.requireNonNull(result.store().get(kind))).writeTo(each.putObject("perSecond"));
            Spread ratio = result.ratio(kind);
            if (ratio != null) {
                Spread.of(Objects.requireNonNull(result.raw().get(kind))).writeTo(each.putObject("rawPerSecond"));
                ratio.writeTo(each.putObject("ratio"));
            }
        }
        return tree;
    }

    static String text(StoresBench.Settings settings, StoresBench.Result result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s, %,d INodes; operations a second, %d at once, median of %d turns of %.1f s, and times the"
                        + " database's own client%n",
                settings.engine(),
                settings.filled(),
                Kind.IN_FLIGHT,
                settings.rounds(),
                settings.seconds()));
        for (Kind kind : Kind.values()) {
            Spread ratio = result.ratio(kind);
            text.append(String.format(
                    Locale.ROOT,
                    "  %-8s %,9.0f%s%n",
                    kind.label(),
                    Spread.of(Objects.requireNonNull(result.store().get(kind))).median(),
                    ratio == null
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    " of %,9.0f: x %s",
                                    Spread.of(Objects.requireNonNull(
                                                    result.raw().get(kind)))
                                            .median(),
                                    ratio.text(2))));
        }
        Raw.Copied copied = result.copied();
        double written = copied == null ? Double.NaN : copied.written();
        double read = copied == null ? Double.NaN : copied.read();
        text.append(line("dump", result.dumped(), read));
        if (result.dumps().size() > 1) {
            text.append(line("  first", result.dumps().get(0), read));
        }
        text.append(line("load", result.loaded().verified(), written))
                .append(line("  writes", result.loaded().written(), written));
        if (result.loads().size() > 1) {
            text.append(line("  first", result.loads().get(0).verified(), written));
        }
        result.rawFailure()
                .ifPresent(why -> text.append("  the database's own client failed: ")
                        .append(why)
                        .append(System.lineSeparator()));
        return text.toString().stripTrailing();
    }

    private static String line(String what, double perSecond, double raw) {
        String beside = Double.isNaN(raw) ? "" : String.format(Locale.ROOT, " of %,9.0f: x %.2f", raw, perSecond / raw);
        return String.format(Locale.ROOT, "  %-8s %,9.0f INodes a second%s%n", what, perSecond, beside);
    }
}
