package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** {@code /api/v1/namespaces/NS/activations}: serves the last activations. Thread-safe. */
final class ActivationsApi {
    /** OpenWhisk's mark at the end of each activation's output, not the function's own. */
    private static final String LOG_END = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    private final ActivationRing activations;
    private final OpenWhiskJson json;
    private final ErrorReplies errors;
    private final Executor disk;

    /** @param disk executor that reads log files */
    ActivationsApi(ActivationRing activations, OpenWhiskJson json, ErrorReplies errors, Executor disk) {
        this.activations = activations;
        this.json = json;
        this.errors = errors;
        this.disk = disk;
    }

    HttpReply list(HttpCall call) {
        Paging paging;
        try {
            paging = Paging.of(call, "activations");
        } catch (IllegalArgumentException e) {
            return errors.malformed(String.valueOf(e.getMessage()));
        }
        Optional<String> name = Optional.ofNullable(call.query().get("name"));
        ArrayNode list = Json.mapper().createArrayNode();
        activations
                .newest(
                        each -> name.isEmpty()
                                || name.get().equals(each.action().name()),
                        paging.skip(),
                        paging.limit())
                .forEach(each -> list.add(call.flag("docs") ? json.activation(each) : json.activationSummary(each)));
        return ErrorReplies.json(200, list);
    }

    /** @param part {@code ""}, {@code "logs"} or {@code "result"} */
    CompletionStage<HttpReply> get(String id, String part) {
        if (!id.matches("[0-9a-f]{32}")) {
            return CompletableFuture.completedFuture(errors.of(400, "The activation id is not valid."));
        }
        Optional<Activation> found = activations.get(id);
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(errors.notFound());
        }
        Activation activation = found.get();
        return switch (part) {
            case "" -> CompletableFuture.completedFuture(ErrorReplies.json(200, json.activation(activation)));
            case "result" -> CompletableFuture.completedFuture(ErrorReplies.json(200, json.response(activation)));
            case "logs" -> CompletableFuture.supplyAsync(() -> logs(activation), disk);
            default -> CompletableFuture.completedFuture(errors.notFound());
        };
    }

    private HttpReply logs(Activation activation) {
        ObjectNode root = Json.object();
        ArrayNode lines = root.putArray("logs");
        Activation.LogSpan span = activation.logs();
        int maxBytes = activation.action().spec().limits().logsMb() << 20;
        try {
            span.log().lines(span.from(), span.to(), maxBytes).stream()
                    .filter(line -> !line.equals(LOG_END))
                    .forEach(lines::add);
        } catch (IOException e) {
            lines.add("There was an issue while collecting your logs. Data might be missing.");
        }
        return ErrorReplies.json(200, root);
    }
}
