package io.lambdafs.hammer.workload;

import io.lambdafs.hammer.tree.Limits;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The operations of a load and their times. The same workload gives the same operations at the same times. Immutable.
 *
 * @param mix kinds of operations and their proportions
 * @param shape course of the throughput over the length
 * @param arrivals distances between operations at constant throughput
 * @param length of the load, 1 s – 24 h
 * @param baseOps base throughput: scale of the Pareto distribution, operations per second, 1–10,000,000
 * @param burstFactor cap of the throughput and height of the burst, times the base, 1–100; 1 for a constant load
 * @param popularity of the directories
 * @param seed of every random choice
 * @param part index among the processes that offer one load, 0–1,023: each draws different operations, at the same
 * levels
 * @param warmUp time for which the base throughput of other operations is offered before, which counts only failures; 0
 * or 1 s – 1 h
 */
public record Workload(
        OperationMix mix,
        LoadShape shape,
        Arrivals arrivals,
        Duration length,
        double baseOps,
        double burstFactor,
        Popularity popularity,
        long seed,
        int part,
        Duration warmUp) {
    /** The burst factor of the paper's §5.2.1. */
    public static final double DEFAULT_BURST_FACTOR = 7;

    public static final double DEFAULT_ZIPF_EXPONENT = 1.3;

    public Workload {
        Limits.check("workload: seconds", length.toMillis() / 1e3, 1, 86_400);
        Limits.check("workload: base operations per second", baseOps, 1, 10_000_000);
        Limits.check("workload: burst factor", burstFactor, 1, 100);
        Limits.check("workload: part", part, 0, 1_023);
        if (!warmUp.isZero()) {
            Limits.check("workload: warm-up seconds", warmUp.toMillis() / 1e3, 1, 3_600);
        }
    }

    /** Creates the workload of a single process. */
    public Workload(
            OperationMix mix,
            LoadShape shape,
            Arrivals arrivals,
            Duration length,
            double baseOps,
            double burstFactor,
            double zipfExponent,
            long seed) {
        this(
                mix,
                shape,
                arrivals,
                length,
                baseOps,
                burstFactor,
                new Popularity(zipfExponent, 0),
                seed,
                0,
                Duration.ZERO);
    }

    /** Returns the paper's load: Table 2's mix in Pareto bursts. */
    public static Workload spotify(Duration length, double baseOps, long seed) {
        return new Workload(
                OperationMix.SPOTIFY,
                LoadShape.BURSTS,
                Arrivals.POISSON,
                length,
                baseOps,
                DEFAULT_BURST_FACTOR,
                DEFAULT_ZIPF_EXPONENT,
                seed);
    }

    public Workload withShape(LoadShape form) {
        return new Workload(mix, form, arrivals, length, baseOps, burstFactor, popularity, seed, part, warmUp);
    }

    public Workload withBurstFactor(double factor) {
        return new Workload(mix, shape, arrivals, length, baseOps, factor, popularity, seed, part, warmUp);
    }

    public Workload withLength(Duration time) {
        return new Workload(mix, shape, arrivals, time, baseOps, burstFactor, popularity, seed, part, warmUp);
    }

    public Workload withBaseOps(double ops) {
        return new Workload(mix, shape, arrivals, length, ops, burstFactor, popularity, seed, part, warmUp);
    }

    public Workload withSeed(long start) {
        return new Workload(mix, shape, arrivals, length, baseOps, burstFactor, popularity, start, part, warmUp);
    }

    /** Returns the same load with this share of the operations in one directory. */
    public Workload withHot(double share) {
        Popularity skewed = new Popularity(popularity.zipfExponent(), share);
        return new Workload(mix, shape, arrivals, length, baseOps, burstFactor, skewed, seed, part, warmUp);
    }

    public Workload withWarmUp(Duration time) {
        return new Workload(mix, shape, arrivals, length, baseOps, burstFactor, popularity, seed, part, time);
    }

    /** Returns the warm-up load. */
    public Workload before() {
        return withWarmUp(Duration.ZERO).withLength(warmUp).withBurstFactor(1).withSeed(~seed);
    }

    /** Returns the share of one of several processes that share the load equally. */
    public Workload share(int of, int which) {
        return new Workload(mix, shape, arrivals, length, baseOps / of, burstFactor, popularity, seed, which, warmUp);
    }

    public double seconds() {
        return length.toNanos() / 1e9;
    }

    /** Returns whether the load is at its maximum at this time, unless it is constant. */
    public boolean isBurst(double second) {
        return new Schedule(this).isBurst((long) (second * 1e9));
    }

    /** Describes the throughput over time. */
    public String load() {
        return warmUp.isZero()
                ? counted()
                : counted() + "; before it " + Texts.plain(warmUp.toMillis() / 1e3) + " s of warm-up, uncounted";
    }

    private String counted() {
        if (shape == LoadShape.STEP) {
            return String.format(
                    Locale.ROOT,
                    "%s s: %,.0f ops/s, %s × as much in the second third, and as before; %s arrivals",
                    Texts.plain(seconds()),
                    baseOps,
                    Texts.plain(burstFactor),
                    arrivals.label());
        }
        if (shape == LoadShape.SPIKE) {
            return String.format(
                    Locale.ROOT,
                    "%s s: %,.0f ops/s, and in the middle a burst of %,.0f ops/s for %s s; %s arrivals",
                    Texts.plain(seconds()),
                    baseOps,
                    baseOps * burstFactor,
                    Texts.plain(seconds() / 6),
                    arrivals.label());
        }
        if (burstFactor == 1) {
            return String.format(
                    Locale.ROOT, "%s s at %,.0f ops/s; %s arrivals", Texts.plain(seconds()), baseOps, arrivals.label());
        }
        double interval = Schedule.interval(seconds());
        return String.format(
                Locale.ROOT,
                "%s s; every %s s a throughput from Pareto(α = %s, scale = %,.0f ops/s), at most %s × the scale;"
                        + " from two thirds on a burst of %s × for %s s; %s arrivals",
                Texts.plain(seconds()),
                Texts.plain(interval),
                Texts.plain(Schedule.PARETO_SHAPE),
                baseOps,
                Texts.plain(burstFactor),
                Texts.plain(burstFactor),
                Texts.plain(interval),
                arrivals.label());
    }

    /**
     * Draws every operation without sending it, and describes the load, its levels, and the number of operations of
     * each kind.
     */
    public String plan() {
        Schedule schedule = new Schedule(this);
        Map<OperationKind, Long> counts = new EnumMap<>(OperationKind.class);
        long all = 0;
        for (Schedule.Cursor cursor = schedule.cursor(); cursor.present(); cursor.advance()) {
            counts.merge(cursor.kind(), 1L, Long::sum);
            all++;
        }
        StringBuilder text = new StringBuilder(mix.describe())
                .append('\n')
                .append(load())
                .append("; seed ")
                .append(seed);
        for (Schedule.Level level : schedule.levels()) {
            text.append(String.format(
                    Locale.ROOT, "%n%8.1f–%.1f s %,10.0f ops/s", level.from(), level.to(), level.opsPerSecond()));
        }
        text.append(String.format(Locale.ROOT, "%n%,d operations", all));
        String separator = ": ";
        for (Map.Entry<OperationKind, Long> each : counts.entrySet()) {
            text.append(String.format(
                    Locale.ROOT, "%s%s %,d", separator, each.getKey().label(), each.getValue()));
            separator = ", ";
        }
        return text.toString();
    }
}
