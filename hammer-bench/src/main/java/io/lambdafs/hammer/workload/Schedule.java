package io.lambdafs.hammer.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The times at which operations are meant to start (the paper's §5.2.1): the run is cut into intervals of 15 s, or a
 * quarter of the run if that is shorter; each draws its throughput from a Pareto distribution with α = 2 whose scale is
 * the base throughput, capped at the burst factor times the base. A burst at the cap starts at two thirds of the run
 * and lasts one interval. With {@link LoadShape#STEP} and {@link LoadShape#SPIKE} there are three levels instead. The
 * same workload gives the same times, kinds and choices. Immutable.
 */
public final class Schedule {
    static final double PARETO_SHAPE = 2;
    private static final double INTERVAL_SECONDS = 15;
    private static final double BURST_AT = 2.0 / 3.0;
    private static final long LEVELS_SALT = 0x5eed_0001L;
    private static final long ARRIVALS_SALT = 0x5eed_0002L;
    private static final long PART_SALT = 0x9e3779b97f4a7c15L;

    /** A stretch of constant intended throughput, seconds from the start. */
    public record Level(double from, double to, double opsPerSecond) {}

    private final List<Level> levels;
    private final Workload workload;
    private final double least;
    private final double most;

    /** Computes the schedule of a workload. */
    public Schedule(Workload workload) {
        this.levels = levels(workload);
        this.workload = workload;
        this.least = levels.stream().mapToDouble(Level::opsPerSecond).min().orElse(0);
        this.most = levels.stream().mapToDouble(Level::opsPerSecond).max().orElse(0);
    }

    private static List<Level> levels(Workload workload) {
        return switch (workload.shape()) {
            case BURSTS ->
                bursts(
                        workload.seconds(),
                        workload.baseOps(),
                        workload.burstFactor(),
                        new SplittableRandom(workload.seed() ^ LEVELS_SALT));
            case STEP -> step(workload.seconds(), workload.baseOps(), workload.burstFactor());
            case SPIKE -> spike(workload.seconds(), workload.baseOps(), workload.burstFactor());
        };
    }

    private static List<Level> bursts(double seconds, double base, double factor, RandomGenerator random) {
        double interval = interval(seconds);
        double burstFrom = seconds * BURST_AT;
        double burstTo = Math.min(seconds, burstFrom + interval);
        double cap = base * factor;
        List<Level> levels = new ArrayList<>();
        for (double from = 0; from < seconds - 1e-9; from += interval) {
            double to = Math.min(seconds, from + interval);
            double ops = Math.min(cap, base / Math.pow(1 - random.nextDouble(), 1 / PARETO_SHAPE));
            addIfAny(levels, new Level(from, Math.min(to, burstFrom), ops));
            addIfAny(levels, new Level(Math.max(from, burstFrom), Math.min(to, burstTo), cap));
            addIfAny(levels, new Level(Math.max(from, burstTo), to, ops));
        }
        return List.copyOf(levels);
    }

    static List<Level> step(double seconds, double base, double factor) {
        double third = seconds / 3;
        return List.of(
                new Level(0, third, base),
                new Level(third, 2 * third, base * factor),
                new Level(2 * third, seconds, base));
    }

    private static List<Level> spike(double seconds, double base, double factor) {
        double from = seconds * 5 / 12;
        double to = seconds * 7 / 12;
        return List.of(new Level(0, from, base), new Level(from, to, base * factor), new Level(to, seconds, base));
    }

    /** Returns the length of an interval, and of the burst, in seconds. */
    static double interval(double seconds) {
        return Math.min(INTERVAL_SECONDS, seconds / 4);
    }

    private static void addIfAny(List<Level> levels, Level level) {
        if (level.to - level.from > 1e-9) {
            levels.add(level);
        }
    }

    /** Returns the throughput over the run. */
    public List<Level> levels() {
        return levels;
    }

    /** Returns whether the load is at its maximum at this time, unless it is constant. */
    public boolean isBurst(long nanos) {
        double seconds = nanos / 1e9;
        for (Level level : levels) {
            if (seconds < level.to) {
                return seconds >= level.from && level.opsPerSecond > least && level.opsPerSecond >= most * (1 - 1e-9);
            }
        }
        return false;
    }

    /** Counts the operations. */
    public long count() {
        long count = 0;
        for (Cursor cursor = cursor(); cursor.present(); cursor.advance()) {
            count++;
        }
        return count;
    }

    /** Returns the sequence of arrivals, from the first; all cursors give the same one. */
    public Cursor cursor() {
        return new Cursor(
                levels, workload, new SplittableRandom(workload.seed() ^ ARRIVALS_SALT ^ workload.part() * PART_SALT));
    }

    /** A place in the sequence of arrivals. Used by one thread. */
    public static final class Cursor {
        private final List<Level> levels;
        private final OperationMix mix;
        private final Arrivals distances;
        private final SplittableRandom random;
        private int level;
        private double seconds;
        private long nanos;
        private OperationKind kind = OperationKind.READ;
        private long draw;

        private Cursor(List<Level> levels, Workload workload, SplittableRandom random) {
            this.levels = levels;
            this.mix = workload.mix();
            this.distances = workload.arrivals();
            this.random = random;
            advance();
        }

        /** Returns whether there is an arrival here; false after the last. */
        public boolean present() {
            return level < levels.size();
        }

        /** Returns the intended start, nanoseconds from the start of the run. */
        public long nanos() {
            return nanos;
        }

        /** Returns the kind of operation that arrives. */
        public OperationKind kind() {
            return kind;
        }

        /** Returns the seed of all choices made for this operation. */
        public long draw() {
            return draw;
        }

        /** Advances to the next arrival. */
        public void advance() {
            double unit = distances.draw(random);
            while (level < levels.size()) {
                Level current = levels.get(level);
                double next = seconds + unit / current.opsPerSecond;
                if (next < current.to) {
                    seconds = next;
                    break;
                }
                // The rest of the wait continues at the next level's rate.
                unit -= (current.to - seconds) * current.opsPerSecond;
                seconds = current.to;
                level++;
            }
            nanos = (long) (seconds * 1e9);
            kind = mix.draw(random);
            draw = random.nextLong();
        }
    }
}
