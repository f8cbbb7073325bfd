package io.lambdafs.platform.local.dashboard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The history of counters since the gateway's start: every second of the last {@value #RECENT} seconds, and at most
 * {@value #WHOLE} points over all time; when these are full, every second one is dropped and the interval doubles.
 * Guarded by its owner.
 */
final class History {
    static final int RECENT = 300;
    static final int WHOLE = 600;

    private final Deque<Totals> recent = new ArrayDeque<>();
    private List<Totals> whole = new ArrayList<>();
    private long stride = 1;
    private long added;
    /** The peak over the points dropped since the last kept one. */
    private int[] peak = {};

    void add(Totals now) {
        recent.addLast(now);
        if (recent.size() > RECENT + 1) {
            recent.removeFirst();
        }
        if (added++ % stride == 0) {
            whole.add(now.withAtLeast(peak));
            peak = new int[] {};
        } else {
            peak = peak.length == 0 ? now.instances() : now.withAtLeast(peak).instances();
        }
        if (whole.size() > WHOLE) {
            halve();
        }
    }

    private void halve() {
        List<Totals> kept = new ArrayList<>();
        for (int i = 0; i < whole.size(); i += 2) {
            kept.add(
                    i == 0
                            ? whole.get(0)
                            : whole.get(i).withAtLeast(whole.get(i - 1).instances()));
        }
        whole = kept;
        stride *= 2;
    }

    /** Returns the seconds between the points of {@link #whole}. */
    long stride() {
        return stride;
    }

    List<Totals> recent() {
        return List.copyOf(recent);
    }

    List<Totals> whole() {
        return List.copyOf(whole);
    }
}
