package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The instances that came and went, from samples of the gateway about a second apart: one that came and went between
 * two samples is not seen. Confined to one thread.
 */
final class Turnover {
    /** The changes since the previous sample. */
    private record Look(double seconds, int starts, int stops) {}

    private final List<Look> looks = new ArrayList<>();
    private Set<String> known = Set.of();
    private long firstMillis;

    /** Records the gateway's list of instances. */
    void saw(long millis, JsonNode instances) {
        Set<String> serving = new HashSet<>();
        for (JsonNode each : instances) {
            if (!each.path("deployment").asText().isEmpty()
                    && !each.path("state").asText().equals("stopping")) {
                serving.add(each.path("id").asText());
            }
        }
        if (looks.isEmpty()) {
            firstMillis = millis;
            known = serving;
        }
        Set<String> started = new HashSet<>(serving);
        started.removeAll(known);
        Set<String> stopped = new HashSet<>(known);
        stopped.removeAll(serving);
        looks.add(new Look((millis - firstMillis) / 1e3, started.size(), stopped.size()));
        known = serving;
    }

    /** Counts the instances that came in a time, given in seconds from the first sample. */
    int starts(double from, double to) {
        return looks.stream()
                .filter(look -> look.seconds > from && look.seconds <= to)
                .mapToInt(Look::starts)
                .sum();
    }

    /** Counts the instances that went in such a time. */
    int stops(double from, double to) {
        return looks.stream()
                .filter(look -> look.seconds > from && look.seconds <= to)
                .mapToInt(Look::stops)
                .sum();
    }
}
