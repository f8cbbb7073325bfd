package io.lambdafs.platform.local.dashboard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What was counted since the gateway's start, second by second for the last {@value #RECENT} seconds, and of all time at most
 * {@value #WHOLE} points: when they are full every second one goes, and points come half as often from then on. Guarded by its owner.
 */
final class History {
    static final int RECENT = 300;
    static final int WHOLE = 600;

    private final Deque<Totals> recent = new ArrayDeque<>();
    private List<Totals> whole = new ArrayList<>();
    private long stride = 1;
    private long added;
    /** Of points that were left out since the last one that was kept. */
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

    /** Seconds between the points of {@link #whole}. */
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
