package io.lambdafs.systemtests.chaos;

import io.lambdafs.platform.MetricsPage;
import io.lambdafs.systemtests.ClusterUnderTest.LiveInstance;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Pages of metrics of instances. Thread-safe. */
final class InstancePages {
    private final HttpClient http = HttpClient.newHttpClient();
    private final Duration limit;

    /** @param limit of one reading */
    InstancePages(Duration limit) {
        this.limit = limit;
    }

    /** The pages of those that answer in time, read at once. */
    Map<LiveInstance, MetricsPage> read(List<LiveInstance> instances) {
        Map<LiveInstance, CompletableFuture<MetricsPage>> asked = new HashMap<>();
        for (LiveInstance each : instances) {
            HttpRequest request = HttpRequest.newBuilder(each.endpoint().resolve("/metrics"))
                    .timeout(limit)
                    .build();
            asked.put(
                    each,
                    http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                            .thenApply(reply -> MetricsPage.parse(reply.body()))
                            .exceptionally(unreachable -> MetricsPage.EMPTY));
        }
        Map<LiveInstance, MetricsPage> pages = new HashMap<>();
        asked.forEach((instance, reply) -> pages.put(instance, reply.join()));
        pages.values().removeIf(MetricsPage::isEmpty);
        return pages;
    }
}
