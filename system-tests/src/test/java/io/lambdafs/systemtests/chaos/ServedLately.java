package io.lambdafs.systemtests.chaos;

import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.ClusterUnderTest.LiveInstance;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Which instances have served within the last second: those that counted a billed millisecond in it. Confined to one thread. */
final class ServedLately {
    private static final int ATTEMPTS = 5;
    private static final long SAMPLE_MILLIS = 400;
    private static final long SECOND_MILLIS = 1_000;
    private static final String BILLED = "lambdafs_billed_milliseconds_total";

    private final HttpClient http = HttpClient.newHttpClient();
    private final ClusterUnderTest cluster;
    private long longestMillis;

    ServedLately(ClusterUnderTest cluster) {
        this.cluster = cluster;
    }

    /** Empty where none did, or none can be asked in time: then it is tried again for a while. */
    List<LiveInstance> find() throws InterruptedException {
        List<LiveInstance> served = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS && served.isEmpty(); i++) {
            served = sample();
        }
        return served;
    }

    private List<LiveInstance> sample() throws InterruptedException {
        List<LiveInstance> all = cluster.instances();
        long began = System.nanoTime();
        Map<LiveInstance, Double> before = billed(all);
        TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
        Map<LiveInstance, Double> after = billed(all);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        List<LiveInstance> served = new ArrayList<>();
        if (took > SECOND_MILLIS) {
            return served;
        }
        longestMillis = Math.max(longestMillis, took);
        for (LiveInstance each : all) {
            Double first = before.get(each);
            Double last = after.get(each);
            if (first != null && last != null && last > first) {
                served.add(each);
            }
        }
        return served;
    }

    /** The longest time before a choice in which the chosen had served. */
    long longestMillis() {
        return longestMillis;
    }

    private Map<LiveInstance, Double> billed(List<LiveInstance> instances) {
        Map<LiveInstance, CompletableFuture<HttpResponse<String>>> asked = new HashMap<>();
        for (LiveInstance each : instances) {
            HttpRequest request = HttpRequest.newBuilder(each.endpoint().resolve("/metrics"))
                    .timeout(Duration.ofMillis(SECOND_MILLIS))
                    .build();
            asked.put(each, http.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        Map<LiveInstance, Double> billed = new HashMap<>();
        asked.forEach((instance, reply) -> {
            String page = reply.thenApply(HttpResponse::body)
                    .exceptionally(unreachable -> "")
                    .join();
            page.lines()
                    .filter(line -> line.startsWith(BILLED))
                    .forEach(line -> billed.merge(
                            instance, Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)), Double::sum));
        });
        return billed;
    }
}
