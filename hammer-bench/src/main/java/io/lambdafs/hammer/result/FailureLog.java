package io.lambdafs.hammer.result;

import java.util.ArrayList;
import java.util.List;

/** Counts failed operations and keeps descriptions of the first ones. Confined to the replay's thread. */
public final class FailureLog {
    private static final int KEPT = 20;
    private static final int LONGEST = 600;

    private final List<String> first = new ArrayList<>();
    private long count;

    /** Counts one failure. */
    public void add(double seconds, String operation, String problem) {
        count++;
        if (first.size() < KEPT) {
            String text = String.format(java.util.Locale.ROOT, "%.3f s: %s: %s", seconds, operation, problem);
            first.add(text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…");
        }
    }

    /** Adds the failures counted by another process. */
    public void addAll(long failed, List<String> described) {
        count += failed;
        described.stream().limit(KEPT - first.size()).forEach(first::add);
    }

    /** Returns the number of failures. */
    public long count() {
        return count;
    }

    /** Returns descriptions of the first failures. */
    public List<String> first() {
        return List.copyOf(first);
    }
}
