package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.FailoverMain;
import java.util.List;
import java.util.Locale;

/**
 * The throughput of one file system's clients over the loss of a server. Immutable.
 *
 * @param lost the killed server
 * @param killedAtMillis time of the kill since the start
 * @param done operations done in each slot of {@link FailoverMain#SLOT_MILLIS}
 * @param longestMillis the longest wait for a completed operation
 * @param stuck clients whose last operation was still pending a minute after the end
 */
record FailoverCurve(
        String name,
        String lost,
        long killedAtMillis,
        List<Long> done,
        long failed,
        String failure,
        long longestMillis,
        long stuck) {
    private static final double WELL_AGAIN = 0.8;
    private static final int SLOTS_A_SECOND = 1_000 / FailoverMain.SLOT_MILLIS;

    FailoverCurve {
        done = List.copyOf(done);
    }

    private int killSlot() {
        return (int) (killedAtMillis / FailoverMain.SLOT_MILLIS);
    }

    /** Returns operations per second before the loss. The first second does not count. */
    double before() {
        return perSecond(SLOTS_A_SECOND, killSlot());
    }

    private double perSecond(int from, int to) {
        return done.subList(Math.min(from, to), to).stream()
                        .mapToLong(Long::longValue)
                        .sum()
                * (double) SLOTS_A_SECOND
                / Math.max(1, to - from);
    }

    /** Returns the seconds without any completed operation. */
    double silentSeconds() {
        int longest = 0;
        int now = 0;
        for (long each : done.subList(killSlot(), done.size())) {
            now = each == 0 ? now + 1 : 0;
            longest = Math.max(longest, now);
        }
        return longest / (double) SLOTS_A_SECOND;
    }

    /**
     * Returns the seconds from the loss until throughput again reached {@value #WELL_AGAIN} of that before; negative if
     * it never did.
     */
    double recoveredSeconds() {
        for (int slot = killSlot(); slot + SLOTS_A_SECOND <= done.size(); slot++) {
            if (slot > killSlot() && perSecond(slot, slot + SLOTS_A_SECOND) >= WELL_AGAIN * before()) {
                return (slot - killSlot()) / (double) SLOTS_A_SECOND;
            }
        }
        return -1;
    }

    void write(ObjectNode json) {
        json.put("name", name).put("lost", lost).put("killedAtMillis", killedAtMillis);
        json.put("opsPerSecondBefore", Math.round(before()))
                .put("silentSeconds", silentSeconds())
                .put("recoveredSeconds", recoveredSeconds())
                .put("longestMillis", longestMillis)
                .put("failed", failed)
                .put("stuck", stuck);
        ArrayNode slots = json.put("slotMillis", FailoverMain.SLOT_MILLIS).putArray("done");
        done.forEach(slots::add);
    }

    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-10s %s killed at %.1f s: %,.0f ops/s before; nothing done for %.1f s; as fast again after %s; longest wait %.1f s; %,d failed%n",
                name,
                lost,
                killedAtMillis / 1e3,
                before(),
                silentSeconds(),
                recoveredSeconds() < 0
                        ? "more than the run had"
                        : String.format(Locale.ROOT, "%.1f s", recoveredSeconds()),
                longestMillis / 1e3,
                failed));
        text.append("  ops/s in each second:");
        for (int from = 0; from + SLOTS_A_SECOND <= done.size(); from += SLOTS_A_SECOND) {
            text.append(String.format(Locale.ROOT, " %,.0f", perSecond(from, from + SLOTS_A_SECOND)));
        }
        return text.toString();
    }
}
