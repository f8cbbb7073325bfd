package io.lambdafs.hammer.load;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.InstanceSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.trace.TracePreparation;
import io.lambdafs.hammer.trace.TraceReplay;
import io.lambdafs.hammer.trace.TraceScan;
import io.lambdafs.hammer.trace.TraceSettings;
import io.lambdafs.hammer.tree.ImportProgress;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.tree.ImportSettings;
import io.lambdafs.hammer.tree.NamespaceImport;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Imports a tree into a running cluster and replays a workload on it. Confined to one thread. */
public final class LoadRun {
    /** Time for which the idle cluster is watched. */
    static final Duration WATCH = Duration.ofSeconds(30);

    /**
     * Maximum number of concurrent HTTP calls to one deployment: a few times what an instance takes, which is enough to
     * make the platform scale out.
     */
    private static final int HTTP_IN_FLIGHT = 16;

    private final LocalCluster cluster;
    private final LambdaFs client;
    private final Console console;
    private final Duration drain;
    private final Duration watch;
    private final @Nullable Path report;

    /** Creates a run that then watches the idle cluster while it scales in. */
    public LoadRun(LocalCluster cluster, LambdaFs client, Console console) {
        this(cluster, client, console, ReplaySettings.DEFAULT_DRAIN, WATCH);
    }

    /**
     * Creates a run with other limits.
     *
     * @param drain time after the load for unfinished operations to end
     * @param watch time for which the idle cluster is then watched
     */
    public LoadRun(LocalCluster cluster, LambdaFs client, Console console, Duration drain, Duration watch) {
        this(cluster, client, console, drain, watch, null);
    }

    private LoadRun(
            LocalCluster cluster,
            LambdaFs client,
            Console console,
            Duration drain,
            Duration watch,
            @Nullable Path report) {
        this.report = report;
        this.drain = drain;
        this.watch = watch;
        this.cluster = cluster;
        this.client = client;
        this.console = console;
    }

    /** Returns the same run, which if interrupted leaves a report of its measurements in a directory. */
    public LoadRun withReport(Path directory) {
        return new LoadRun(cluster, client, console, drain, watch, directory);
    }

    /** Returns the same run, which watches the idle cluster for this time. */
    public LoadRun withWatch(Duration limit) {
        return new LoadRun(cluster, client, console, drain, limit, report);
    }

    /** Opens a client for load. */
    public static LambdaFs client(LocalCluster cluster) {
        return LambdaFs.open(ClientConfigBuilder.load(cluster.directory().client())
                .http(new ClientConfig.HttpUse(
                        ClientConfig.HttpUse.DEFAULT.probability(),
                        ClientConfig.HttpUse.DEFAULT.maxReplacements(),
                        HTTP_IN_FLIGHT))
                .build());
    }

    /** Returns the source of a cluster's instances and cost: λFS's own gateway, or else the store. */
    public static ClusterProbe probe(LocalCluster cluster, LambdaFs client, Console console) {
        int deployments = cluster.settings(LocalCluster.StartOptions.none()).deployments();
        return PlatformProbe.of(cluster, client, deployments, new Turnover(), console);
    }

    public ImportResult importTree(LoadOptions options, FsPath target) {
        return importTree(options, target, ImportSettings.DEFAULT_WINDOW);
    }

    /** @param window maximum number of operations in flight */
    public ImportResult importTree(LoadOptions options, FsPath target, int window) {
        int smallFileBytes =
                cluster.settings(LocalCluster.StartOptions.none()).instance().smallFileLimitBytes();
        ImportSettings settings = ImportSettings.of(options.tree(), target)
                .withMaxFiles(options.maxFiles())
                .withSmallFileBytes(smallFileBytes)
                .withWindow(window)
                .withNames(options.names());
        ClientMetrics.Snapshot before = client.metrics().snapshot();
        ImportResult result = NamespaceImport.run(settings, client::execute, this::show);
        console.say(traffic(before, client.metrics().snapshot()));
        console.say(describe(
                options.names() == null
                        ? options.tree().toString()
                        : options.names().describe(),
                result));
        return result;
    }

    private void show(ImportProgress progress) {
        console.progress(String.format(
                Locale.ROOT,
                "importing %,d of %,d entries, %,.0f per second",
                progress.done(),
                progress.total(),
                progress.perSecond()));
    }

    static String describe(String tree, ImportResult result) {
        String skipped = result.skipped().entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(each -> String.format(
                        Locale.ROOT, "%,d %s", each.getValue(), each.getKey().label()))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "imported %s in %.1f s: %,d directories, %,d files (%,d longer ones without content), %.1f MB of"
                        + " content%s%s",
                tree,
                result.seconds(),
                result.directories(),
                result.files(),
                result.withoutContent(),
                result.contentBytes() / 1e6,
                skipped.isEmpty() ? "" : "; left out: " + skipped,
                result.limited() ? "; the limit on files ended the walk" : "");
    }

    public ReplayResult replay(ImportResult imported, Workload workload) {
        return replay(imported, workload, new Turnover());
    }

    /** @param turnover receives the current instances once a second */
    ReplayResult replay(ImportResult imported, Workload workload, Turnover turnover) {
        ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
        ClusterProbe probe = PlatformProbe.of(cluster, client, settings.deployments(), turnover, console);
        ReplaySettings replay = ReplaySettings.of(imported.tree(), workload)
                .withDrain(drain)
                .withWatchScaleIn(watch)
                .withFleet(fleet(settings))
                .withNotes(notes(settings));
        console.say(String.format(
                Locale.ROOT,
                "replaying for %d s, base %,.0f ops/s, bursts up to %,.0f ops/s, seed %d",
                workload.length().toSeconds(),
                workload.baseOps(),
                workload.baseOps() * workload.burstFactor(),
                workload.seed()));
        ClientMetrics.Snapshot before = client.metrics().snapshot();
        ReplayResult result = PartialReport.during(
                console,
                report,
                unfinished -> Replay.run(
                        replay, client::execute, probe, progress -> console.progress(line(progress)), unfinished));
        console.endProgress();
        console.say(traffic(before, client.metrics().snapshot()));
        if (probe instanceof GatewayProbe own) {
            console.say(own.newcomers().line());
        }
        return result;
    }

    /** Returns VMs with as many processors as the instances had. */
    public static ServerfulFleet fleet(ClusterSettings settings) {
        double vcpu =
                settings.instance().cpuShare() == 0 ? 1 : settings.instance().cpuShare();
        return new ServerfulFleet(vcpu, ServerfulFleet.R5_4XLARGE_USD_PER_VCPU_HOUR);
    }

    /** Creates the files and directories that a trace presumes, below a directory. */
    public void prepare(TraceScan scan, FsPath under) {
        long start = System.nanoTime();
        long made = TracePreparation.run(
                scan,
                client::execute,
                under,
                count -> console.progress(String.format(Locale.ROOT, "preparing the namespace: %,d", count)));
        console.endProgress();
        console.say(String.format(
                Locale.ROOT,
                "prepared %,d files and directories that the trace presumes, in %.1f s",
                made,
                (System.nanoTime() - start) / 1e9));
    }

    /** Replays a trace below a directory. */
    public TraceReplay.Outcome replay(TraceScan scan, FsPath under, double speedUp) {
        ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
        ClusterProbe probe = probe(cluster, client, console);
        TraceSettings trace = new TraceSettings(
                scan,
                under,
                speedUp,
                ReplaySettings.DEFAULT_WINDOW,
                ReplaySettings.DEFAULT_DRAIN,
                settings.instance().smallFileLimitBytes(),
                fleet(settings),
                notes(settings));
        ClientMetrics.Snapshot before = client.metrics().snapshot();
        TraceReplay.Outcome outcome = PartialReport.during(
                console,
                report,
                unfinished -> TraceReplay.run(
                        trace, client::execute, probe, progress -> console.progress(line(progress)), unfinished));
        console.endProgress();
        console.say(traffic(before, client.metrics().snapshot()));
        return outcome;
    }

    /** Describes the client's network traffic during the run. */
    private static String traffic(ClientMetrics.Snapshot before, ClientMetrics.Snapshot now) {
        String retries = now.retries().entrySet().stream()
                .map(each -> Map.entry(
                        each.getKey().name(), each.getValue() - before.retries().getOrDefault(each.getKey(), 0L)))
                .filter(each -> each.getValue() > 0)
                .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "requests: %,d by TCP, %,d by HTTP; %,d refused as one too many; repeated: %s",
                now.tcp() - before.tcp(),
                now.http() - before.http(),
                now.overloaded() - before.overloaded(),
                retries.isEmpty() ? "none" : retries);
    }

    private Map<String, String> notes(ClusterSettings settings) {
        Map<String, String> notes = new LinkedHashMap<>();
        InstanceSettings instance = settings.instance();
        if (cluster.isElsewhere()) {
            notes.put("Cluster", settings.deployments() + " deployments, elsewhere");
            notes.put("Version", Version.own());
            return notes;
        }
        notes.put(
                "Cluster",
                String.format(
                        Locale.ROOT,
                        "%d deployments of at most %d instances; an instance has %d MB, %.2f vCPU, %d HTTP requests at"
                                + " once; keep-alive %.0f s; pool %,d MB; store with%s fsync",
                        settings.deployments(),
                        cluster.gateway().client().maxInstances(),
                        instance.memoryMb(),
                        instance.cpuShare(),
                        instance.concurrency(),
                        settings.pool().keepAliveMillis() / 1e3,
                        settings.pool().memoryMb(),
                        settings.store().fsync() ? "" : "out"));
        notes.put("Distance emulated", settings.distance().describe());
        notes.put("Version", Version.own());
        return notes;
    }

    private static String line(Progress now) {
        List<Integer> instances = now.instancesByDeployment();
        int sum = instances.stream().mapToInt(Integer::intValue).sum();
        return String.format(
                Locale.ROOT,
                "%3.0f/%.0f s  %,6.0f of %,6.0f ops/s  p99 %5.1f ms  instances %s  hits %.1f %%  $%.6f  waiting %,d "
                        + " failed %,d",
                now.elapsedSeconds(),
                now.totalSeconds(),
                now.opsPerSecond(),
                now.offeredPerSecond(),
                now.p99Micros() / 1e3,
                instances.isEmpty()
                        ? "unknown"
                        : instances.stream().map(String::valueOf).collect(Collectors.joining("+")) + " = " + sum,
                now.cacheHitRate() * 100,
                now.payPerUseUsd(),
                now.waiting(),
                now.failed());
    }
}
