package io.lambdafs.platform.local.instance;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The client of an instance that serves the action protocol. Thread-safe; nothing blocks.
 *
 * @param key the secret sent to the instance, which without HTTPS must prove first that it holds it
 */
public record ActionEndpoint(HttpClient http, URI base, Secret key) {
    private static final long PAGE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Longer than any action may take: the pool enforces that limit. */
    private static final long UNLIMITED_NANOS = TimeUnit.DAYS.toNanos(1);
    /** OpenWhisk's limit of a result, plus room for its envelope. */
    private static final int MAX_REPLY_BYTES = (1 << 20) + (64 << 10);

    private static final int MAX_METRICS_BYTES = 4 << 20;
    private static final int MAX_SLOWEST_BYTES = 256 << 10;
    private static final int MAX_HEALTH_BYTES = 64 << 10;

    /** Returns the endpoint at a host and port. */
    public static ActionEndpoint at(String host, int port, boolean https, HttpClient http, Secret key) {
        URI base = URI.create((https ? "https" : "http") + "://" + Hosts.withPort(host, port));
        return new ActionEndpoint(http, base, key);
    }

    /**
     * Sends JSON by {@code POST}.
     *
     * @param path {@code /init} or {@code /run}
     */
    public CompletionStage<ActionReply> post(String path, byte[] json) {
        Map<String, String> headers = Map.of("Content-Type", "application/json", "Authorization", key.authorization());
        HttpRequest request =
                new HttpRequest("POST", uri(path), headers, json, MAX_REPLY_BYTES, UNLIMITED_NANOS).demanding(key);
        return http.send(request).handle((reply, failure) -> {
            if (failure == null) {
                return new ActionReply(reply.status(), reply.body());
            }
            throw new CompletionException(
                    FsException.of(failure).code() == ErrorCode.BAD_FRAME
                            ? new ReplyTooLargeException(MAX_REPLY_BYTES)
                            : failure);
        });
    }

    /** Gets the page of metrics; an empty one if there is none. Never fails. */
    public CompletionStage<MetricsPage> metrics() {
        return get("/metrics", MAX_METRICS_BYTES)
                .thenApply(page -> page.status() == 200
                        ? MetricsPage.parse(new String(page.body(), StandardCharsets.UTF_8))
                        : MetricsPage.EMPTY)
                .exceptionally(unreachable -> MetricsPage.EMPTY);
    }

    /** Gets the slowest operations as a JSON list; an empty one if there is none. Never fails. */
    public CompletionStage<String> slowest() {
        HttpRequest request = new HttpRequest(
                        "GET",
                        uri("/slowest"),
                        Map.of("Authorization", key.authorization()),
                        new byte[0],
                        MAX_SLOWEST_BYTES,
                        PAGE_LIMIT_NANOS)
                .demanding(key);
        return http.send(request)
                .thenApply(reply -> reply.status() == 200 ? new String(reply.body(), StandardCharsets.UTF_8) : "[]")
                .exceptionally(unreachable -> "[]");
    }

    /** Checks whether it serves. Never fails. */
    public CompletionStage<Boolean> isHealthy() {
        return health().thenApply(page -> !page.isEmpty());
    }

    /** Gets its health report, a JSON object; empty if it does not serve. Never fails. */
    public CompletionStage<String> health() {
        return get("/healthz", MAX_HEALTH_BYTES)
                .thenApply(reply -> reply.status() == 200 ? new String(reply.body(), StandardCharsets.UTF_8) : "")
                .exceptionally(unreachable -> "");
    }

    private CompletionStage<ActionReply> get(String path, int maxBytes) {
        return http.send(HttpRequest.get(uri(path), maxBytes, PAGE_LIMIT_NANOS).demanding(key))
                .thenApply(reply -> new ActionReply(reply.status(), reply.body()));
    }

    private URI uri(String path) {
        return URI.create(base + path);
    }
}
