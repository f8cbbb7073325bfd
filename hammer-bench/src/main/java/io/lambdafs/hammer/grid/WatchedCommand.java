package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench dashboard}. */
@Command(
        name = "dashboard",
        description = {
            "What it costs the cluster that its live page is open: operations a second with the page's events read by viewers, and without,",
            "in turns, and the CPU time of the gateway, which makes them. What a browser takes to draw them is not in it.",
            "Starts a cluster for the time."
        })
public final class WatchedCommand extends ReportedCommand {
    private static final int FILES = 1_024;
    private static final int CLIENTS = 64;
    /** Turns of each kind before those that count: code of clients, instances and gateway is compiled in them. */
    private static final int WARM_UP_PAIRS = 4;

    @Option(names = "--viewers", paramLabel = "N", description = "Pages that are open (default ${DEFAULT-VALUE}).")
    private int viewers = 1;

    @Option(names = "--pairs", paramLabel = "N", description = "Turns of each (default ${DEFAULT-VALUE}).")
    private int pairs = 30;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn (default ${DEFAULT-VALUE}).")
    private double seconds = 2;

    private final Turns open = new Turns();
    private final Turns closed = new Turns();
    private final List<String> failures = new ArrayList<>();
    private long bytes;
    private long next;

    /** Those with the page open, or closed. */
    private static final class Turns {
        final List<Double> perSecond = new ArrayList<>();
        private double took;
        private double gatewayCpu;

        /** CPU time of the gateway, as a part of the machine's. */
        double gatewayShare() {
            return gatewayCpu / took / Runtime.getRuntime().availableProcessors();
        }

        double median() {
            return Spread.of(perSecond).median();
        }
    }

    public WatchedCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException, IOException {
        Options.check(viewers >= 1 && viewers <= 8, "--viewers is 1..8, not " + viewers);
        Options.check(pairs >= 1 && pairs <= 1_000, "--pairs is 1..1000, not " + pairs);
        Options.check(seconds > 0 && seconds <= 60, "--seconds is 0..60, not " + seconds);
        LocalCluster.StartOptions options = new LocalCluster.StartOptions(null, TemporaryCluster.unlimited());
        try (TemporaryCluster temporary = TemporaryCluster.start(options, console);
                LambdaFs client = LoadRun.client(temporary.cluster())) {
            URI page = temporary.cluster().gatewayClient().dashboard();
            ProcessHandle gateway =
                    Objects.requireNonNull(temporary.cluster().processes().get("gateway"));
            CachedFiles files = new CachedFiles(FsPath.of("/watched"), FILES);
            files.make(client);
            for (int pair = 0; pair < WARM_UP_PAIRS; pair++) {
                console.progress("warming up");
                turn(client, files, gateway, new Turns());
                watched(page, client, files, gateway, new Turns());
            }
            bytes = 0;
            for (int pair = 0; pair < pairs; pair++) {
                // Alternates the order within pairs.
                if (pair % 2 == 0) {
                    turn(client, files, gateway, closed);
                    watched(page, client, files, gateway, open);
                } else {
                    watched(page, client, files, gateway, open);
                    turn(client, files, gateway, closed);
                }
                console.progress(String.format(Locale.ROOT, "pair %d of %d", pair + 1, pairs));
            }
        }
        console.endProgress();
        return result();
    }

    private void watched(URI page, LambdaFs client, CachedFiles files, ProcessHandle gateway, Turns turns)
            throws InterruptedException, IOException {
        List<Viewer> watching = new ArrayList<>();
        try {
            for (int i = 0; i < viewers; i++) {
                watching.add(new Viewer(page));
            }
            turn(client, files, gateway, turns);
        } finally {
            for (Viewer viewer : watching) {
                bytes += viewer.bytes();
                viewer.close();
            }
        }
    }

    private void turn(LambdaFs client, CachedFiles files, ProcessHandle gateway, Turns turns)
            throws InterruptedException {
        double before = cpuSeconds(gateway);
        ClosedLoop loop = new ClosedLoop(client, CLIENTS);
        double took = loop.run(
                next, Long.MAX_VALUE - next, seconds, number -> GridOp.STAT.number(number, files, files.root()));
        long done = loop.latency().count();
        next += done;
        loop.failures().forEach(failures::add);
        turns.perSecond.add((done - loop.failed()) / took);
        turns.took += took;
        turns.gatewayCpu += cpuSeconds(gateway) - before;
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    private BenchResult result() {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            ratios.add(open.perSecond.get(i) / closed.perSecond.get(i));
        }
        Spread ratio = Spread.of(ratios);
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("viewers", viewers)
                .put("pairs", pairs)
                .put("closedOpsPerSecond", Math.round(closed.median()))
                .put("openOpsPerSecond", Math.round(open.median()))
                .put("ratio", ratio.median())
                .put("meanRatio", ratio.mean())
                .put("meanRatioLow", ratio.low())
                .put("meanRatioHigh", ratio.high())
                .put("closedGatewayShare", closed.gatewayShare())
                .put("openGatewayShare", open.gatewayShare())
                .put("bytesPerTurn", bytes / pairs);
        String text = String.format(
                Locale.ROOT,
                "stat, %d under way: %,.0f ops/s with the page closed, %,.0f with %d open%n"
                        + "open to closed, pair by pair: median %.4f, mean %.4f, its 95 %% confidence interval %.4f to %.4f (%d pairs)%n"
                        + "the gateway's part of the machine's CPU time: %.2f %% with the page closed, %.2f %% open%n"
                        + "the events of a turn: %,d bytes",
                CLIENTS,
                closed.median(),
                open.median(),
                viewers,
                ratio.median(),
                ratio.mean(),
                ratio.low(),
                ratio.high(),
                pairs,
                closed.gatewayShare() * 100,
                open.gatewayShare() * 100,
                bytes / pairs);
        return new BenchResult(json, text, failures);
    }
}
