package io.lambdafs.benchmarks.memory;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench memory}. */
@Command(
        name = "memory",
        description = {
            "What the metadata cache takes for an INode, and how long it keeps anybody waiting while it evicts.",
            "Fills the cache of an instance in this process with the names of a local tree, repeated; no cluster is needed."
        })
public final class MemoryCommand extends ReportedCommand {
    private static final int MAX_INODES = 100_000_000;
    private static final int MAX_SECONDS = 3_600;
    private static final int MAX_CACHE_MB = 16_384;
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9, 100.0);

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "Whose names are used, a directory of this machine (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share");

    @Option(
            names = "--inodes",
            paramLabel = "N",
            description = "INodes in each role, 0 to leave this out (default ${DEFAULT-VALUE}).")
    private int inodes = 1_000_000;

    @Option(
            names = "--cache",
            paramLabel = "MB",
            description = "Limit of the cache that is filled beyond it (default ${DEFAULT-VALUE}).")
    private int cache = 64;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For how long it is filled beyond it, 0 to leave this out (default ${DEFAULT-VALUE}).")
    private int seconds = 20;

    public MemoryCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        Options.check(inodes >= 0 && inodes <= MAX_INODES, "--inodes is 0.." + MAX_INODES + ", not " + inodes);
        Options.check(cache >= 1 && cache <= MAX_CACHE_MB, "--cache is 1.." + MAX_CACHE_MB + ", not " + cache);
        Options.check(seconds >= 0 && seconds <= MAX_SECONDS, "--seconds is 0.." + MAX_SECONDS + ", not " + seconds);
        LocalSample sample = LocalSample.of(tree);
        List<Footprints.Footprint> footprints = inodes == 0 ? List.of() : new Footprints(sample, console).of(inodes);
        CacheLimits limits = new CacheLimits((long) cache << 20, CacheLimits.DEFAULT.invalidationLog());
        Pressure.Result pressure = seconds == 0 ? null : new Pressure(sample, limits, console).run(seconds);
        return new BenchResult(json(sample, footprints, pressure), text(sample, footprints, pressure));
    }

    private String text(LocalSample sample, List<Footprints.Footprint> footprints, Pressure.@Nullable Result pressure) {
        StringBuilder text = new StringBuilder();
        line(text, "%,d names of %s, repeated", sample.size(), tree);
        if (!footprints.isEmpty()) {
            line(text, "bytes for each INode, counted after a full collection:");
            line(text, "  %-10s %12s %10s %22s", "role", "INodes", "measured", "accounted by the cache");
        }
        for (Footprints.Footprint f : footprints) {
            String role = f.role().name().toLowerCase(Locale.ROOT);
            line(text, "  %-10s %,12d %10.1f %+21.1f%%", role, f.inodes(), f.bytesPerInode(), f.error() * 100);
        }
        return pressure == null
                ? text.toString().stripTrailing()
                : text.append(text(pressure)).toString();
    }

    private String text(Pressure.Result pressure) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "a cache of %d MB, filled for %d s by %d threads, walked by as many: %,d evictions, at most %.1f MB",
                cache,
                seconds,
                Pressure.PUBLISHERS,
                pressure.stats().evictions(),
                pressure.peakBytes() / (double) (1 << 20));
        line(text, "  %-24s %12s %10s %10s %10s %10s", "µs", "count", "50 %", "99 %", "99.9 %", "longest");
        times(text, "publish an INode", pressure.single());
        times(text, "  of a processor", pressure.singleCpu());
        times(text, "publish a listing", pressure.listing());
        times(text, "  of a processor", pressure.listingCpu());
        times(text, "invalidate a tree", pressure.invalidate());
        times(text, "walk", pressure.walk());
        text.append(String.format(
                Locale.ROOT, "  longest pause of the garbage collector: %d ms", pressure.collectionMillis()));
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static void times(StringBuilder text, String what, Histogram nanos) {
        text.append(String.format(Locale.ROOT, "  %-24s %,12d", what, nanos.getTotalCount()));
        PERCENTILES.forEach(
                p -> text.append(String.format(Locale.ROOT, " %10.1f", nanos.getValueAtPercentile(p) / 1e3)));
        text.append('\n');
    }

    private ObjectNode json(
            LocalSample sample, List<Footprints.Footprint> footprints, Pressure.@Nullable Result pressure) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("schema", 1);
        object.put("tree", tree.toString()).put("names", sample.size());
        ArrayNode roles = object.putArray("roles");
        for (Footprints.Footprint f : footprints) {
            roles.addObject()
                    .put("role", f.role().name().toLowerCase(Locale.ROOT))
                    .put("inodes", f.inodes())
                    .put("measuredBytes", f.measured())
                    .put("accountedBytes", f.accounted())
                    .put("bytesPerInode", f.bytesPerInode());
        }
        if (pressure != null) {
            put(object.putObject("pressure"), pressure);
        }
        return object;
    }

    private void put(ObjectNode times, Pressure.Result pressure) {
        times.put("limitBytes", pressure.limits().maxBytes())
                .put("seconds", seconds)
                .put("evictions", pressure.stats().evictions())
                .put("refusedFills", pressure.stats().refusedFills())
                .put("peakBytes", pressure.peakBytes())
                .put("longestCollectionMillis", pressure.collectionMillis());
        put(times, "inodeNanos", pressure.single());
        put(times, "inodeCpuNanos", pressure.singleCpu());
        put(times, "listingNanos", pressure.listing());
        put(times, "listingCpuNanos", pressure.listingCpu());
        put(times, "invalidateNanos", pressure.invalidate());
        put(times, "walkNanos", pressure.walk());
    }

    private static void put(ObjectNode object, String name, Histogram nanos) {
        object.putObject(name)
                .put("count", nanos.getTotalCount())
                .put("p50", nanos.getValueAtPercentile(50))
                .put("p99", nanos.getValueAtPercentile(99))
                .put("p999", nanos.getValueAtPercentile(99.9))
                .put("max", nanos.getMaxValue());
    }
}
