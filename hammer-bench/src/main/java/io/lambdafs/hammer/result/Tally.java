package io.lambdafs.hammer.result;

import io.lambdafs.hammer.workload.OperationKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Latency by kind and over time, and the cluster's samples. Confined to the replay's thread. */
public final class Tally {
    private static final long MAX_MICROS = 3_600_000_000L;
    private static final int DIGITS = 3;
    private static final double LEAST_SECONDS = 0.5;

    private final Map<OperationKind, Histogram> byKind = new EnumMap<>(OperationKind.class);
    private final Histogram all = histogram();
    private final Histogram burst = histogram();
    private final Histogram calm = histogram();
    private final Histogram burstReads = histogram();
    private final LongPredicate inBurst;
    private final Histogram interval = histogram();
    /** Latencies of the previous interval. */
    private final Histogram before = histogram();

    /** Lists of the current interval; those of intervals in which an instance was new; and the others. */
    private final Histogram lists = histogram();

    private final Histogram listsWhileJoining = histogram();
    private final Histogram listsInCalm = histogram();
    private double joinedSeconds = Double.NEGATIVE_INFINITY;

    private final List<SeriesPoint> series = new ArrayList<>();
    private final Sample first;
    private Sample lastSample;
    private double hitRate;
    private int peakInstances;
    private double fromSeconds;
    private long fromOffered;
    private long fromDone;
    private double lastSeconds;
    private long lastOffered;
    private long lastDone;
    private @Nullable Slice slice;

    /** @param inBurst tests whether a time, nanoseconds from the start, is in a burst of the load */
    public Tally(Sample first, LongPredicate inBurst) {
        this.inBurst = inBurst;
        this.first = first;
        this.lastSample = first;
        this.peakInstances = first.instances();
        for (OperationKind kind : OperationKind.values()) {
            byKind.put(kind, histogram());
        }
    }

    static Histogram histogram() {
        return new Histogram(MAX_MICROS, DIGITS);
    }

    /** Counts an operation, with its latency from the scheduled start. */
    public void record(OperationKind kind, long intendedNanos, long endNanos) {
        record(kind, intendedNanos, endNanos, 1);
    }

    /** Counts several operations with the same times. */
    public void record(OperationKind kind, long intendedNanos, long endNanos, long count) {
        long micros = Math.min(MAX_MICROS, Math.max(0, endNanos - intendedNanos) / 1_000);
        boolean bursting = inBurst.test(intendedNanos);
        (bursting ? burst : calm).recordValueWithCount(micros, count);
        if (bursting && kind.isRead()) {
            burstReads.recordValueWithCount(micros, count);
        }
        byKind.computeIfAbsent(kind, any -> histogram()).recordValueWithCount(micros, count);
        all.recordValueWithCount(micros, count);
        interval.recordValueWithCount(micros, count);
        if (kind == OperationKind.LS) {
            lists.recordValueWithCount(micros, count);
        }
        if (slice != null) {
            slice.record(kind, bursting, micros, count);
        }
    }

    /** Keeps later counts also in slices; see {@link #cut}. */
    public void keepSlices() {
        slice = new Slice();
    }

    /** Returns the counts since the last cut; empty if slices are not kept. */
    public Slice cut() {
        Slice cut = slice == null ? new Slice() : slice;
        slice = slice == null ? null : new Slice();
        return cut;
    }

    /** Adds the counts of another process. */
    public void add(Slice other) {
        other.burst().forEach((kind, histogram) -> add(kind, true, histogram));
        other.calm().forEach((kind, histogram) -> add(kind, false, histogram));
    }

    private void add(OperationKind kind, boolean bursting, Histogram counted) {
        (bursting ? burst : calm).add(counted);
        if (bursting && kind.isRead()) {
            burstReads.add(counted);
        }
        byKind.computeIfAbsent(kind, any -> histogram()).add(counted);
        all.add(counted);
        interval.add(counted);
        if (kind == OperationKind.LS) {
            lists.add(counted);
        }
    }

    /**
     * Ends an interval. One too short to give a rate is merged with the previous one.
     *
     * @param offered operations scheduled since the start of the run
     * @param waiting those of them that have not ended; operations counted only for their latency are not done
     */
    public SeriesPoint close(double seconds, long offered, long waiting, Sample sample) {
        if (!series.isEmpty() && seconds - lastSeconds < LEAST_SECONDS) {
            series.remove(series.size() - 1);
            interval.add(before);
        } else {
            fromSeconds = lastSeconds;
            fromOffered = lastOffered;
            fromDone = lastDone;
        }
        long done = offered - waiting;
        double width = Math.max(1e-3, seconds - fromSeconds);
        long looks = sample.cacheHits() - lastSample.cacheHits() + sample.cacheMisses() - lastSample.cacheMisses();
        if (looks > 0) {
            hitRate = (double) (sample.cacheHits() - lastSample.cacheHits()) / looks;
        }
        SeriesPoint point = new SeriesPoint(
                seconds,
                (offered - fromOffered) / width,
                (done - fromDone) / width,
                interval.getTotalCount() == 0 ? 0 : interval.getValueAtPercentile(50),
                interval.getTotalCount() == 0 ? 0 : interval.getValueAtPercentile(99),
                sample.instancesByDeployment(),
                hitRate,
                Math.max(0, sample.costUsd() - first.costUsd()),
                Math.max(0, sample.provisionedUsd() - first.provisionedUsd()),
                waiting);
        series.add(point);
        before.reset();
        before.add(interval);
        interval.reset();
        closeLists(seconds, sample);
        peakInstances = Math.max(peakInstances, sample.instances());
        lastSeconds = seconds;
        lastOffered = offered;
        lastDone = done;
        lastSample = sample;
        return point;
    }

    private void closeLists(double seconds, Sample sample) {
        if (sample.hasGrownSince(lastSample)) {
            joinedSeconds = seconds;
        }
        (seconds - joinedSeconds < Listings.JOINING_SECONDS ? listsWhileJoining : listsInCalm).add(lists);
        lists.reset();
    }

    /** Returns the 99th percentile so far, microseconds. */
    public long p99() {
        return all.getTotalCount() == 0 ? 0 : all.getValueAtPercentile(99);
    }

    /** Returns the maximum number of instances so far. */
    public int peakInstances() {
        return peakInstances;
    }

    public Sample last() {
        return lastSample;
    }

    double overallHitRate() {
        long hits = lastSample.cacheHits() - first.cacheHits();
        long looks = hits + lastSample.cacheMisses() - first.cacheMisses();
        return looks <= 0 ? 0 : (double) hits / looks;
    }

    double overallHttpShare() {
        long requests = lastSample.requests() - first.requests();
        return requests <= 0 ? 0 : (double) (lastSample.byHttp() - first.byHttp()) / requests;
    }

    Listings listings() {
        return new Listings(
                lastSample.pages() - first.pages(),
                lastSample.pagesRead() - first.pagesRead(),
                Latency.of(listsWhileJoining),
                Latency.of(listsInCalm));
    }

    public Sample first() {
        return first;
    }

    List<SeriesPoint> series() {
        return series;
    }

    /**
     * Returns the latency of operations scheduled in bursts, of the reads among them, and of the rest; empty without
     * bursts.
     */
    Map<String, Latency> phases() {
        return burst.getTotalCount() == 0
                ? Map.of()
                : Map.of(
                        ReplayResult.BURST,
                        Latency.of(burst),
                        ReplayResult.BURST_READS,
                        Latency.of(burstReads),
                        ReplayResult.CALM,
                        Latency.of(calm));
    }

    Map<String, Latency> latencies() {
        Map<String, Latency> latencies = new LinkedHashMap<>();
        byKind.forEach((kind, histogram) -> latencies.put(kind.label(), Latency.of(histogram)));
        latencies.put(ReplayResult.ALL, Latency.of(all));
        return latencies;
    }
}
