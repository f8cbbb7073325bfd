package io.lambdafs.platform.openwhisk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.ActionJson;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Registers, updates and removes actions through OpenWhisk's REST API. Every method is idempotent: unchanged actions
 * stay untouched, so warm instances survive a repeated deployment. Calls fail with {@link DeployException} or the HTTP
 * client's {@link IOException}. Thread-safe.
 */
public final class OpenWhiskDeployer {
    private static final int PAGE = 200;
    /** Room for a page of actions with their code. */
    private static final int MAX_REPLY_BYTES = 64 << 20;

    private static final byte[] NOTHING = {};

    private final HttpClient http;
    private final URI apiHost;
    private final URI actions;
    private final String authorization;
    private final @Nullable Secret demanded;
    private final Duration timeout;

    /** The effect of {@link #put}. */
    public enum Change {
        CREATED,
        UPDATED,
        UNCHANGED
    }

    /**
     * The result of a call.
     *
     * @param status HTTP status
     * @param body body of the reply
     */
    public record Outcome(int status, String body) {}

    /**
     * @param apiHost such as {@code http://127.0.0.1:3233}
     * @param namespace the namespace; {@code _} for the key's own
     * @param demandsProof whether the platform must prove that it knows the key before receiving it, as λFS's gateway
     *     can and OpenWhisk cannot
     * @param timeout for each HTTP request
     */
    public OpenWhiskDeployer(
            HttpClient http, URI apiHost, String namespace, ApiKey key, boolean demandsProof, Duration timeout) {
        this.http = http;
        this.apiHost = apiHost;
        this.actions = apiHost.resolve("/api/v1/namespaces/" + encode(namespace) + "/actions");
        this.authorization = key.authorization();
        this.demanded = demandsProof ? key.secret() : null;
        this.timeout = timeout;
    }

    /** Creates or updates an action to match the specification. */
    public CompletionStage<Change> put(ActionSpec spec) {
        return get(spec.name()).thenCompose(found -> {
            if (found.isPresent() && covers(found.get(), spec)) {
                return CompletableFuture.completedFuture(Change.UNCHANGED);
            }
            HttpRequest request =
                    request("PUT", "/" + encode(spec.name()) + "?overwrite=true", Json.bytes(ActionJson.write(spec)));
            return http.send(request).thenApply(reply -> {
                demand(request, reply);
                return found.isPresent() ? Change.UPDATED : Change.CREATED;
            });
        });
    }

    /** Removes an action; false if there was none. */
    public CompletionStage<Boolean> remove(String name) {
        HttpRequest request = request("DELETE", "/" + encode(name), NOTHING);
        return http.send(request).thenApply(reply -> {
            if (reply.status() == 404) {
                return false;
            }
            demand(request, reply);
            return true;
        });
    }

    /** Returns the platform's specification of an action. */
    public CompletionStage<Optional<ActionSpec>> get(String name) {
        HttpRequest request = request("GET", "/" + encode(name), NOTHING);
        return http.send(request).thenApply(reply -> {
            if (reply.status() == 404) {
                return Optional.empty();
            }
            demand(request, reply);
            return Optional.of(ActionJson.read(name, Json.parseObject(reply.body()), Optional.empty()));
        });
    }

    /** Returns the names of all actions in the namespace. */
    public CompletionStage<List<String>> list() {
        return listFrom(new ArrayList<>());
    }

    /** Returns the limits of the key's namespace; an empty object if the platform does not report them. */
    public CompletionStage<JsonNode> limits() {
        return ask(URI.create(actions.toString().replaceFirst("actions$", "limits")));
    }

    /**
     * Returns the limits on the platform's front page, which names them differently; an empty object if it has none.
     */
    public CompletionStage<JsonNode> frontPage() {
        return ask(apiHost.resolve("/"))
                .thenApply(page -> page.path("limits").isObject() ? page.path("limits") : Json.object());
    }

    /** Gets a page that not every platform has. */
    private CompletionStage<JsonNode> ask(URI page) {
        return http.send(request("GET", page, NOTHING)).thenApply(reply -> {
            if (reply.status() != 200) {
                return Json.object();
            }
            try {
                return Json.parseObject(reply.body());
            } catch (IllegalArgumentException notJson) {
                return Json.object();
            }
        });
    }

    /** Calls an action with a JSON object and waits for its reply. */
    public CompletionStage<Outcome> invoke(String name, String json) {
        HttpRequest request = request(
                "POST", "/" + encode(name) + "?blocking=true&result=true", json.getBytes(StandardCharsets.UTF_8));
        return http.send(request)
                .thenApply(reply -> new Outcome(reply.status(), new String(reply.body(), StandardCharsets.UTF_8)));
    }

    private CompletionStage<List<String>> listFrom(List<String> names) {
        HttpRequest request = request("GET", "?limit=" + PAGE + "&skip=" + names.size(), NOTHING);
        return http.send(request).thenCompose(reply -> {
            demand(request, reply);
            JsonNode page = tree(reply.body());
            page.forEach(action -> names.add(action.path("name").asText()));
            return page.size() < PAGE ? CompletableFuture.completedFuture(List.copyOf(names)) : listFrom(names);
        });
    }

    /** Returns whether the platform's action matches the wanted one; a platform adds annotations of its own. */
    private static boolean covers(ActionSpec found, ActionSpec wanted) {
        ActionSpec plain = ActionJson.read(wanted.name(), rewritten(wanted), Optional.empty());
        return found.exec().equals(plain.exec())
                && found.limits().equals(plain.limits())
                && found.parameters().equals(plain.parameters())
                && found.environment().equals(plain.environment())
                && found.annotations()
                        .entrySet()
                        .containsAll(plain.annotations().entrySet());
    }

    /** Converts to text and back, which gives numbers their JSON types. */
    private static ObjectNode rewritten(ActionSpec spec) {
        return Json.parseObject(Json.bytes(ActionJson.write(spec)));
    }

    private HttpRequest request(String method, String pathAndQuery, byte[] json) {
        return request(method, URI.create(actions + pathAndQuery), json);
    }

    private HttpRequest request(String method, URI uri, byte[] json) {
        return new HttpRequest(
                        method,
                        uri,
                        Map.of("Authorization", authorization, "Content-Type", "application/json"),
                        json,
                        MAX_REPLY_BYTES,
                        timeout.toNanos())
                .demanding(demanded);
    }

    private static void demand(HttpRequest request, HttpReply reply) {
        if (reply.status() != 200) {
            throw new DeployException(
                    reply.status(),
                    request.method() + " " + request.uri() + ": HTTP " + reply.status() + ": " + errorOf(reply.body()));
        }
    }

    private static String errorOf(byte[] body) {
        try {
            return Json.parseObject(body).path("error").asText();
        } catch (IllegalArgumentException e) {
            return "no JSON in the reply";
        }
    }

    private static JsonNode tree(byte[] body) {
        try {
            return Json.mapper().readTree(body);
        } catch (IOException e) {
            throw new DeployException(200, "the reply is no JSON: " + e.getMessage());
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
