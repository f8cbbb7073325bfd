package io.lambdafs.hammer.fleet;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.Capacity;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Runs one workload on λFS, then on other services that are as large as λFS may become, or cost as much as λFS did:
 * each on its own cluster, one after the other. Confined to one thread.
 *
 * @param common settings of all clusters
 * @param soFar receives the results so far after each service
 */
public record FleetRuns(
        Console console,
        LocalCluster.StartOptions common,
        LoadOptions options,
        Workload workload,
        Consumer<FleetResult> soFar) {
    private static final FsPath TARGET = FsPath.of("/data");
    /** Time for the rest of the operations; a fleet that needs longer was too small. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /** Measures how many operations of the Spotify mix {@code hopsfs} can do per second, on its own cluster. */
    static double hopsfsCapacity(
            Console console, LocalCluster.StartOptions common, LoadOptions options, Workload workload) {
        FleetRuns runs = new FleetRuns(console, common, options, workload, result -> {});
        ClusterSettings settings = runs.settings();
        FleetSize all = FleetSize.ofAll(settings, settings.pool().maxInstances());
        try (TemporaryCluster temporary = runs.start(Persona.HOPSFS, all);
                LambdaFs client = Persona.HOPSFS.client(temporary.cluster())) {
            return Capacity.ofFleet(temporary.cluster(), client, console, options.tree());
        }
    }

    /** Returns the settings of a cluster before a service has its own. */
    private ClusterSettings settings() {
        return new LocalCluster(new ClusterDirectory(Path.of("lambdafs-none")), console).settings(common);
    }

    /** Runs λFS and the others. */
    FleetResult run(List<Persona> others) {
        PriceTable prices = PriceTable.read();
        DistanceSettings distance = settings().distance();
        List<PersonaRun> runs = new ArrayList<>();
        int services = 1 + others.size();
        FleetSize all;
        ClusterSettings usual;
        int instances;
        try (TemporaryCluster temporary = start(Persona.LAMBDAFS, FleetSize.NONE)) {
            LocalCluster cluster = temporary.cluster();
            ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
            int most = cluster.gateway().client().maxInstances();
            usual = settings;
            instances = most;
            all = FleetSize.ofAll(settings, most);
            runs.add(new PersonaRun(
                    Persona.LAMBDAFS,
                    FleetSize.ofInstances(settings, most),
                    workload,
                    replay(temporary, Persona.LAMBDAFS),
                    prices));
        }
        soFar.accept(new FleetResult(runs, prices, services, distance));
        for (Persona persona : others) {
            FleetSize size = all;
            if (persona.scales()) {
                size = FleetSize.ofInstances(usual, persona.instances(instances));
            } else if (persona == Persona.HOPSFS_CACHE_AT_COST) {
                size = atCost(all, runs.get(0));
            }
            runs.add(run(persona, size, prices));
            soFar.accept(new FleetResult(runs, prices, services, distance));
        }
        return new FleetResult(runs, prices, distance);
    }

    /**
     * Runs the workload on a fixed fleet that costs as much as λFS did.
     *
     * @param lambdaFs the result of λFS, with as many processors as {@code settings} allow
     * @return both
     */
    FleetResult beside(ClusterSettings settings, int maxInstances, ReplayResult lambdaFs) {
        PriceTable prices = PriceTable.read();
        FleetSize all = FleetSize.ofAll(settings, maxInstances);
        PersonaRun first = new PersonaRun(
                Persona.LAMBDAFS, FleetSize.ofInstances(settings, maxInstances), workload, lambdaFs, prices);
        soFar.accept(new FleetResult(List.of(first), prices, 2, settings.distance()));
        return new FleetResult(
                List.of(first, run(Persona.HOPSFS_CACHE_AT_COST, atCost(all, first), prices)),
                prices,
                settings.distance());
    }

    private PersonaRun run(Persona persona, FleetSize size, PriceTable prices) {
        try (TemporaryCluster temporary = start(persona, size)) {
            return new PersonaRun(persona, size, workload, replay(temporary, persona), prices);
        }
    }

    private static FleetSize atCost(FleetSize all, PersonaRun lambdaFs) {
        double seconds = Math.max(
                lambdaFs.workload().length().toMillis() / 1e3, lambdaFs.result().seconds());
        return all.of(lambdaFs.prices().vcpuFor(lambdaFs.usd(), seconds));
    }

    private TemporaryCluster start(Persona persona, FleetSize size) {
        console.say(String.format(
                Locale.ROOT,
                "%s: %s%s",
                persona.label(),
                persona.what(),
                size.vcpu() > 0
                        ? String.format(Locale.ROOT, " (%d of %.2f vCPU)", size.servers(), size.vcpuPerServer())
                        : ""));
        return TemporaryCluster.start(common.with(persona.settings(size)), console);
    }

    /** Imports with one instance of each deployment, so that the load begins there, and replays the workload. */
    private ReplayResult replay(TemporaryCluster temporary, Persona persona) {
        LocalCluster cluster = temporary.cluster();
        try (LambdaFs client = persona.client(cluster)) {
            LoadRun run = new LoadRun(cluster, client, console, DRAIN, Duration.ZERO);
            int most = cluster.gateway().client().maxInstances();
            cluster.gateway().client().scale(1);
            ImportResult imported = run.importTree(options, TARGET);
            cluster.gateway().client().scale(most);
            ReplayResult result = run.replay(imported, workload);
            if (result.failed() > 0) {
                temporary.saveLogs(options.report().resolve("logs-" + persona.label()));
            }
            return result;
        }
    }
}
