package io.lambdafs.hammer;

import java.util.ArrayList;
import java.util.List;

/** Counts failed operations and keeps the first ones' descriptions. Confined to the replay's thread. */
public final class FailureLog {
    private static final int KEPT = 20;
    private static final int LONGEST = 600;

    private final List<String> first = new ArrayList<>();
    private long count;

    /** Counts one. */
    public void add(double seconds, String operation, String problem) {
        count++;
        if (first.size() < KEPT) {
            String text = String.format(java.util.Locale.ROOT, "%.3f s: %s: %s", seconds, operation, problem);
            first.add(text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…");
        }
    }

    /** Counts what another process has counted. */
    public void addAll(long failed, List<String> described) {
        count += failed;
        described.stream().limit(KEPT - first.size()).forEach(first::add);
    }

    /** How many there were. */
    public long count() {
        return count;
    }

    /** The first ones, described. */
    public List<String> first() {
        return List.copyOf(first);
    }
}
