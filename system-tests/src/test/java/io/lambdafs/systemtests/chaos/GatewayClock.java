package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.systemtests.ClusterUnderTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;

/** The gateway's wall clock, as its records of activations show it. Stateless. */
final class GatewayClock {
    private static final long TOLERANCE_MILLIS = 1_000;

    private final ClusterUnderTest cluster;

    GatewayClock(ClusterUnderTest cluster) {
        this.cluster = cluster;
    }

    /** Returns whether an activation ended since a moment by a clock that is so far off. */
    boolean sawJump(long millis, long sinceNanos) throws IOException, InterruptedException {
        URI recent = URI.create(
                "http://127.0.0.1:" + cluster.port("gateway") + "/api/v1/namespaces/_/activations?limit=10&docs=true");
        HttpRequest request = HttpRequest.newBuilder(recent)
                .header(
                        "Authorization",
                        ApiKey.fromFile(cluster.directory().resolve("managementkey"))
                                .authorization())
                .build();
        HttpResponse<String> reply = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        long now = System.currentTimeMillis();
        long since = now - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
        for (JsonNode each : new ObjectMapper().readTree(reply.body())) {
            long off = each.path("end").asLong() - millis;
            if (off >= since - TOLERANCE_MILLIS && off <= now + TOLERANCE_MILLIS) {
                return true;
            }
        }
        return false;
    }
}
