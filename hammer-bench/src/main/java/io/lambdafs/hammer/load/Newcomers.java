package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Cache hits of instances that joined while their deployment already had one: they show whether scaling out buys cache
 * hits. Confined to one thread.
 */
final class Newcomers {
    private final Set<String> known = new HashSet<>();
    /** Hits of each newcomer, by its id. */
    private final Map<String, Long> hits = new LinkedHashMap<>();

    /** Records the gateway's list of instances. */
    void saw(JsonNode instances) {
        Map<String, Integer> alive = new HashMap<>();
        for (JsonNode each : instances) {
            if (known.contains(each.path("id").asText())) {
                alive.merge(each.path("deployment").asText(), 1, Integer::sum);
            }
        }
        for (JsonNode each : instances) {
            String id = each.path("id").asText();
            String deployment = each.path("deployment").asText();
            if (!deployment.isEmpty() && known.add(id) && alive.merge(deployment, 1, Integer::sum) > 1) {
                hits.put(id, 0L);
            }
            hits.computeIfPresent(
                    id,
                    (newcomer, before) ->
                            Math.max(before, each.path("cacheHits").asLong()));
        }
    }

    /** Describes the result for people. */
    String line() {
        List<Long> serving =
                hits.values().stream().filter(count -> count > 0).sorted().toList();
        if (hits.isEmpty()) {
            return "newcomers: no deployment grew beyond one instance";
        }
        return String.format(
                Locale.ROOT,
                "newcomers: %d of %d instances that joined others answered from their caches: %,d reads, %,d the median",
                serving.size(),
                hits.size(),
                serving.stream().mapToLong(Long::longValue).sum(),
                serving.isEmpty() ? 0 : serving.get(serving.size() / 2));
    }
}
