package io.lambdafs.cluster.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.rpc.Leeway;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The state of an instance, from its gateway and its own pages. Immutable.
 *
 * @param deployment its action; empty for a prewarmed one
 * @param epoch 0 before it has joined
 * @param opsPerSecond requests served over the last {@value #INTERVAL_MILLIS} ms
 * @param inodes number of INodes in its cache
 */
public record InstanceState(
        String deployment,
        String id,
        OptionalLong pid,
        String state,
        long epoch,
        double ageSeconds,
        double opsPerSecond,
        long cacheBytes,
        long inodes) {
    static final int INTERVAL_MILLIS = 400;
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int MAX_PAGE_BYTES = 4 << 20;

    /** One reading of an instance's pages. */
    private record Pages(long nanos, MetricsPage metrics, JsonNode health) {}

    /** Queries every instance known to a gateway. */
    public static List<InstanceState> ask(GatewayClient gateway, JsonNode known) {
        List<Pages> before;
        List<Pages> after;
        try (HttpClient http = gateway.http()) {
            before = read(http, known);
            try {
                TimeUnit.MILLISECONDS.sleep(known.isEmpty() ? 0 : INTERVAL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            after = read(http, known);
        }
        List<InstanceState> states = new ArrayList<>();
        for (int i = 0; i < known.size(); i++) {
            states.add(of(known.get(i), before.get(i), after.get(i)));
        }
        return states;
    }

    /** Returns each instance's INode cache hits so far, by id, without those that do not answer. */
    public static Map<String, Long> entryHits(GatewayClient gateway) {
        return counts(gateway, metrics -> metrics.sum("lambdafs_cache_hits_total", "role", "entry"));
    }

    /** Returns the rows of detached trees removed by each instance so far, by id, without those that do not answer. */
    public static Map<String, Long> reclaimedRows(GatewayClient gateway) {
        return counts(gateway, metrics -> metrics.sum("lambdafs_reclaimed_rows_total"));
    }

    /** Returns each instance's metrics, by id, without those that do not answer. */
    public static Map<String, MetricsPage> metrics(GatewayClient gateway, JsonNode known) {
        List<Pages> pages;
        try (HttpClient http = gateway.http()) {
            pages = read(http, known);
        }
        Map<String, MetricsPage> answered = new LinkedHashMap<>();
        for (int i = 0; i < known.size(); i++) {
            MetricsPage metrics = pages.get(i).metrics();
            if (!metrics.isEmpty()) {
                answered.put(known.get(i).path("id").asText(), metrics);
            }
        }
        return answered;
    }

    private static Map<String, Long> counts(GatewayClient gateway, ToDoubleFunction<MetricsPage> count) {
        Map<String, Long> counts = new LinkedHashMap<>();
        metrics(gateway, gateway.instances())
                .forEach((id, metrics) -> counts.put(id, (long) count.applyAsDouble(metrics)));
        return counts;
    }

    private static InstanceState of(JsonNode known, Pages before, Pages after) {
        double seconds = Math.max(1, after.nanos() - before.nanos()) / 1e9;
        double requests = after.metrics().sum("lambdafs_requests_total")
                - before.metrics().sum("lambdafs_requests_total");
        return new InstanceState(
                known.path("deployment").asText(),
                known.path("id").asText(),
                known.has("pid") ? OptionalLong.of(known.path("pid").asLong()) : OptionalLong.empty(),
                known.path("state").asText(),
                after.health().path("epoch").asLong(),
                known.path("ageSeconds").asDouble(),
                Math.max(0, requests) / seconds,
                (long) after.metrics().sum("lambdafs_cache_bytes"),
                (long) after.metrics().sum("lambdafs_cache_inodes"));
    }

    private static List<Pages> read(HttpClient http, JsonNode known) {
        List<CompletableFuture<Pages>> all = new ArrayList<>();
        for (JsonNode each : known) {
            String endpoint = each.path("endpoint").asText();
            all.add(get(http, endpoint + "/metrics")
                    .thenCombine(
                            get(http, endpoint + "/healthz"),
                            (metrics, health) -> new Pages(System.nanoTime(), MetricsPage.parse(metrics), tree(health)))
                    .toCompletableFuture());
        }
        return all.stream().map(CompletableFuture::join).toList();
    }

    private static JsonNode tree(String text) {
        try {
            return Json.MAPPER.readTree(text.isEmpty() ? "{}" : text);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            return Json.object();
        }
    }

    /** Returns a page's text; empty if the instance is gone. */
    private static CompletionStage<String> get(HttpClient http, String url) {
        HttpRequest request;
        try {
            request = HttpRequest.get(
                    URI.create(url), MAX_PAGE_BYTES, Leeway.of(LIMIT).toNanos());
        } catch (IllegalArgumentException notYetListening) {
            return CompletableFuture.completedFuture("");
        }
        return http.send(request)
                .thenApply(page -> page.status() == 200 ? new String(page.body(), StandardCharsets.UTF_8) : "")
                .exceptionally(gone -> "");
    }

    public void write(ObjectNode node) {
        node.put("deployment", deployment).put("id", id);
        pid.ifPresentOrElse(number -> node.put("pid", number), () -> node.putNull("pid"));
        node.put("state", state)
                .put("epoch", epoch)
                .put("ageSeconds", ageSeconds)
                .put("opsPerSecond", Math.round(opsPerSecond * 10) / 10.0)
                .put("cacheBytes", cacheBytes);
    }

    /** Returns the state as text. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%-12s %-16s %-12s pid %-8s epoch %-5d age %5.0f s  %,8.0f ops/s  cache %,d KB, %,d INodes",
                deployment.isEmpty() ? "(prewarmed)" : deployment,
                id,
                state,
                pid.isPresent() ? String.valueOf(pid.getAsLong()) : "-",
                epoch,
                ageSeconds,
                opsPerSecond,
                cacheBytes >> 10,
                inodes);
    }
}
