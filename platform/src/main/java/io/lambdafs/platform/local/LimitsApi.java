package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.http.HttpReply;
import java.util.List;

/**
 * Serves the gateway's limits as OpenWhisk does, {@code GET /} and {@code GET /api/v1/namespaces/NS/limits}, and the
 * always empty collections that {@code wsk list} requests. Stateless.
 */
final class LimitsApi {
    /** Always empty. */
    static final List<String> EMPTY_COLLECTIONS = List.of("packages", "triggers", "rules");

    private static final long MIN_TIMEOUT_MILLIS = 100;

    private final GatewayConfig config;

    LimitsApi(GatewayConfig config) {
        this.config = config;
    }

    /** Returns a namespace's limits in megabytes and milliseconds. */
    HttpReply namespace() {
        return ErrorReplies.json(
                200,
                Json.object()
                        .put("invocationsPerMinute", config.throttle().perMinute())
                        .put("concurrentInvocations", config.throttle().inFlight())
                        .put("firesPerMinute", 0)
                        .put("minActionMemory", 1)
                        .put("maxActionMemory", config.pool().memoryMb())
                        .put("minActionTimeout", MIN_TIMEOUT_MILLIS)
                        .put("maxActionTimeout", ActionRegistry.MAX_TIMEOUT_MILLIS)
                        .put("minActionLogs", 0)
                        .put("maxActionLogs", ActionRegistry.MAX_LOGS_MB)
                        .put("minActionConcurrency", 1)
                        .put("maxActionConcurrency", ActionRegistry.MAX_CONCURRENCY));
    }

    /** Returns the limits in bytes and milliseconds; needs no key, as in OpenWhisk. */
    HttpReply frontPage() {
        ObjectNode page = Json.object().put("description", "λFS's gateway");
        page.putArray("api_paths").add("/api/v1");
        page.putObject("limits")
                .put("actions_per_minute", config.throttle().perMinute())
                .put("concurrent_actions", config.throttle().inFlight())
                .put("triggers_per_minute", 0)
                .put("min_action_duration", MIN_TIMEOUT_MILLIS)
                .put("max_action_duration", ActionRegistry.MAX_TIMEOUT_MILLIS)
                .put("min_action_memory", 1L << 20)
                .put("max_action_memory", (long) config.pool().memoryMb() << 20)
                .put("min_action_logs", 0)
                .put("max_action_logs", (long) ActionRegistry.MAX_LOGS_MB << 20);
        return ErrorReplies.json(200, page);
    }

    static HttpReply nothing() {
        return ErrorReplies.json(200, Json.mapper().createArrayNode());
    }
}
