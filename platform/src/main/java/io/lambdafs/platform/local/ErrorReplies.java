package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.Messages;
import io.lambdafs.rpc.http.HttpReply;
import java.util.function.Supplier;

/**
 * Creates replies with OpenWhisk's error body, {@code {"error", "code"}}, with a code unique to each refusal.
 * Thread-safe.
 */
final class ErrorReplies {
    private final Supplier<String> ids;

    ErrorReplies(Supplier<String> ids) {
        this.ids = ids;
    }

    HttpReply of(int status, String message) {
        return json(status, Json.object().put("error", message).put("code", ids.get()));
    }

    HttpReply malformed(String detail) {
        return of(400, "The request content was malformed:\n" + detail);
    }

    HttpReply notFound() {
        return of(404, Messages.NOT_FOUND);
    }

    HttpReply methodNotAllowed() {
        return of(405, "The HTTP method is not allowed for the requested resource.");
    }

    static HttpReply json(int status, JsonNode body) {
        return HttpReply.json(status, Json.bytes(body));
    }
}
