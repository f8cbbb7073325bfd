package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a trace, found by reading it once before any load, which also reports a bad line of a CSV trace.
 * Immutable to others.
 */
public final class TraceScan {
    private static final int MOST_STRETCHES = 1 << 20;

    private final Trace trace;
    private final Map<OperationKind, Long> counts = new EnumMap<>(OperationKind.class);
    /** Directories: paths that are listed or created as such, or have something below them. */
    private final PathSet directories = new PathSet();
    /** Paths that the trace itself creates at some time. */
    private final PathSet made = new PathSet();

    private final PathSet parents = new PathSet();
    /** Numbers of records in stretches of the trace's time; the stretches double in length when there are too many. */
    private long[] byTime = new long[1 << 10];

    private long stretchNanos = 1_000_000_000;
    private long firstNanos;
    private long lastNanos;
    private long records;
    private long lines;
    private Map<String, Long> leftOut = Map.of();

    private TraceScan(Trace trace) {
        this.trace = trace;
    }

    /**
     * Reads a trace.
     *
     * @param prepare whether to note paths, which takes memory for each, to prepare the namespace
     * @throws FsException {@code INVALID_ARGUMENT} naming file and line of a bad line, or if there is no record
     */
    public static TraceScan of(Trace trace, boolean prepare) throws IOException {
        TraceScan scan = new TraceScan(trace);
        try (TraceReader reader = trace.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                scan.count(record);
                if (prepare) {
                    scan.note(record);
                }
            }
            if (reader instanceof AuditReader audit) {
                scan.leftOut = audit.leftOut();
                scan.lines = audit.lines();
            } else {
                scan.lines = scan.records;
            }
        }
        if (scan.records == 0) {
            throw FsException.invalidArgument(trace.describe() + " has no record");
        }
        return scan;
    }

    private void count(TraceRecord record) {
        firstNanos = records == 0 ? record.nanos() : firstNanos;
        lastNanos = record.nanos();
        records++;
        counts.merge(record.kind(), 1L, Long::sum);
        int stretch = stretch(record.nanos() - firstNanos);
        if (stretch >= byTime.length) {
            byTime = Arrays.copyOf(byTime, Math.min(MOST_STRETCHES, Integer.highestOneBit(stretch) * 2));
        }
        byTime[stretch]++;
    }

    private int stretch(long nanos) {
        while (nanos / stretchNanos >= MOST_STRETCHES) {
            for (int i = 0; i < byTime.length; i++) {
                long all = byTime[i];
                byTime[i] = 0;
                byTime[i / 2] += all;
            }
            stretchNanos *= 2;
        }
        return (int) (nanos / stretchNanos);
    }

    private void note(TraceRecord record) {
        noteParents(record.path());
        FsPath destination = record.destination();
        if (destination != null) {
            noteParents(destination);
            made.add(destination);
        }
        switch (record.kind()) {
            case LS -> directories.add(record.path());
            case MKDIRS -> {
                directories.add(record.path());
                made.add(record.path());
            }
            case CREATE -> made.add(record.path());
            case READ, STAT, DELETE, MV -> {}
        }
    }

    private void noteParents(FsPath path) {
        // If a directory is known, so are those above it.
        for (int depth = path.depth() - 1; depth > 0 && parents.add(path.ancestor(depth)); depth--) {
            directories.add(path.ancestor(depth));
        }
    }

    boolean isDirectory(FsPath path) {
        return path.isRoot() || directories.contains(path);
    }

    boolean isMade(FsPath path) {
        return made.contains(path);
    }

    public Trace trace() {
        return trace;
    }

    public long records() {
        return records;
    }

    /** Returns the number of lines read, of all files. */
    public long lines() {
        return lines;
    }

    /** Returns the number of operations of each kind that occurs. */
    public Map<OperationKind, Long> counts() {
        return new EnumMap<>(counts);
    }

    /** Returns the number of lines without a record to replay, by reason; empty for a CSV trace. */
    public Map<String, Long> leftOut() {
        return leftOut;
    }

    /** Returns the time of the first record, in the trace's own time. */
    public long firstNanos() {
        return firstNanos;
    }

    /** Returns the seconds from the first record to the last. */
    public double seconds() {
        return (lastNanos - firstNanos) / 1e9;
    }

    /**
     * Returns a counter of records up to a time since the first; it interpolates within a second, or a longer stretch.
     */
    public Offered offered() {
        return new Offered();
    }

    /** Counts records up to non-decreasing times. Used by one thread. */
    public final class Offered {
        private int stretch;
        private long before;

        private Offered() {}

        /** @param nanos of the trace's time since its first record; never less than in the previous call */
        public long until(double nanos) {
            if (nanos > lastNanos - firstNanos) {
                return records;
            }
            int now = (int) (nanos / stretchNanos);
            for (; stretch < now; stretch++) {
                before += byTime[stretch];
            }
            return before + (long) (byTime[stretch] * (nanos / stretchNanos - now));
        }
    }

    /** Describes the contents, and the lines left out, for people. */
    public String describe() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %,d operations in %,.1f s of %,d lines",
                trace.describe(),
                records,
                seconds(),
                lines));
        String separator = " (";
        for (OperationKind kind : OperationKind.values()) {
            @Nullable Long count = counts.get(kind);
            if (count != null) {
                text.append(
                        String.format(Locale.ROOT, "%s%s %.2f %%", separator, kind.label(), 100.0 * count / records));
                separator = ", ";
            }
        }
        text.append(')');
        String before = "; left out: ";
        for (Map.Entry<String, Long> each : new TreeMap<>(leftOut).entrySet()) {
            text.append(String.format(Locale.ROOT, "%s%,d %s", before, each.getValue(), each.getKey()));
            before = ", ";
        }
        return text.toString();
    }
}
