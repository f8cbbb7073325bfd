package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.emulation.EmulateOption;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.measure.BenchCommand;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.TreeOptions;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.hammer.workload.WorkloadFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench fleet}: the paper's figures 8 and 9. */
@Command(
        name = "fleet",
        description = {
            "Compare λFS as it scales with fixed fleets, with and without a cache, under a burst of 7 times "
                    + "the base load.",
            "Replays the Spotify mix; reports throughput and latency in and outside the burst, instances and "
                    + "cost. Starts a cluster for each."
        })
public final class FleetCommand extends BenchCommand {
    private static final double USUAL_BASE_OPS = 1_000;
    /** The load before the burst, as a share of the capacity of hopsfs. */
    private static final double FIT_SHARE = 0.7;

    @Option(
            names = "--personas",
            paramLabel = "NAME,NAME",
            split = ",",
            description = {
                "Fleets beside λFS: hopsfs, hopsfs-cache, hopsfs-cache-at-cost, infinicache (default: these),",
                "hopsfs-random, hopsfs-round-robin, hopsfs-sticky, lambdafs-limited, lambdafs-off, "
                        + "lambdafs-reduced-cache, held."
            })
    private List<String> names = List.of("hopsfs", "hopsfs-cache", "hopsfs-cache-at-cost", "infinicache");

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each load in seconds (default ${DEFAULT-VALUE}).")
    private int seconds = 45;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = "Operations per second before and after the burst (default 1000).")
    private @Nullable Double baseOps;

    @Option(names = "--fit", description = "First measure the capacity of hopsfs; the base load is 0.7 times that.")
    private boolean fit;

    @Option(
            names = "--profile",
            paramLabel = "spotify|analytics|FILE",
            description = "Workload that gives operations, arrivals and skew (default ${DEFAULT-VALUE}).")
    private String profile = "spotify";

    @Option(
            names = "--hot",
            paramLabel = "SHARE",
            description = "Share of the operations in one directory, 0..0.9 (default: the profile's skew decides).")
    private double hot;

    @Mixin
    private TreeOptions trees = new TreeOptions();

    @Mixin
    private EmulateOption emulate = new EmulateOption();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for fleet.html, .csv and .json (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public FleetCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        LoadOptions options = new LoadOptions(
                trees.tree(), trees.maxFiles(), seconds, baseOps == null ? USUAL_BASE_OPS : baseOps, report);
        Options.check(!fit || baseOps == null, "--fit finds the load itself: leave out --base-ops");
        Options.check(seconds >= 6, "--seconds is 6..86400, not " + seconds);
        Options.check(hot >= 0 && hot <= 0.9, "--hot is 0..0.9, not " + hot);
        List<Persona> others = others();
        Workload workload = WorkloadFile.read(profile)
                .withShape(LoadShape.SPIKE)
                .withBurstFactor(Workload.DEFAULT_BURST_FACTOR)
                .withLength(Duration.ofSeconds(seconds))
                .withBaseOps(options.baseOps())
                .withSeed(seed)
                .withHot(hot);
        LocalCluster.StartOptions common = emulate.orPaper().under(trees.startOptions());
        String found = "";
        double capacity = 0;
        if (fit) {
            capacity = FleetRuns.hopsfsCapacity(console, common, options, workload);
            workload = workload.withBaseOps(Math.max(1, FIT_SHARE * capacity));
            found = String.format(
                    Locale.ROOT,
                    "hopsfs can do %,.0f ops/s: the load is %.0f %% of it, %,.0f ops/s, and in the burst %,.0f ops/s",
                    capacity,
                    FIT_SHARE * 100,
                    workload.baseOps(),
                    workload.baseOps() * workload.burstFactor());
            console.say(found);
        }
        FleetResult result = new FleetRuns(
                        console, common, options, workload, soFar -> FleetReport.write(soFar, report))
                .run(others);
        Path page = FleetReport.write(result, report);
        ObjectNode json = result.json();
        if (fit) {
            json.put("hopsfsCapacityOpsPerSecond", Math.round(capacity));
            json.put("baseOps", workload.baseOps());
            found += "\n";
        }
        return new BenchResult(json, found + result.text() + "\nreport: " + page, result.failures());
    }

    private List<Persona> others() {
        List<Persona> all = new ArrayList<>();
        for (String name : names) {
            Persona persona = Persona.of(name).orElse(null);
            Options.check(
                    persona != null,
                    "--personas: there is no \"" + name + "\"; there are "
                            + Arrays.stream(Persona.values())
                                    .map(Persona::label)
                                    .collect(Collectors.joining(", ")));
            if (persona != null && persona != Persona.LAMBDAFS) {
                all.add(persona);
            }
        }
        return all;
    }
}
