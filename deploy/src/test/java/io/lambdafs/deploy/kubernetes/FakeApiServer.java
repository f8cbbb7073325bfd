package io.lambdafs.deploy.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * As much of a Kubernetes API server as deploying takes: objects in namespaces, server-side apply by one manager, lists by a label, access
 * reviews. It refuses Knative Services that Knative's definition does not allow. Thread-safe.
 */
final class FakeApiServer implements HttpHandler, AutoCloseable {
    static final String TOKEN = "right";

    private final CrdSchema services = CrdSchema.knativeService();
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final Set<String> mayNot = ConcurrentHashMap.newKeySet();
    private final HttpServer server;
    private volatile boolean hasKnative = true;
    private int writes;
    private volatile String refused = "";
    private volatile UnaryOperator<ObjectNode> controller = UnaryOperator.identity();

    FakeApiServer() {
        try {
            server = HttpServer.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this, HttpLimits.defaults());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        put("/api/v1/namespaces/fs", "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"fs\"}}");
    }

    /** A kubeconfig for it. */
    Path kubeconfig(Path directory, String token) {
        try {
            return Files.writeString(directory.resolve("kubeconfig"), """
                    {"apiVersion":"v1","kind":"Config","current-context":"x",
                     "clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:%d"}}],"users":[{"name":"u","user":{"token":"%s"}}],
                     "contexts":[{"name":"x","context":{"cluster":"c","user":"u","namespace":"fs"}}]}""".formatted(server.port(), token));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void withoutKnative() {
        hasKnative = false;
    }

    /** Reviews say no to this verb and resource from now on. */
    void forbid(String verbAndResource) {
        mayNot.add(verbAndResource);
    }

    /** Applying to a name that ends so is refused from now on. */
    void refuse(String name) {
        refused = name;
    }

    /** Sets a controller to apply to each object. */
    void controller(UnaryOperator<ObjectNode> made) {
        controller = made;
    }

    synchronized void put(String path, String json) {
        try {
            objects.put(path, (ObjectNode) Json.mapper().readTree(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized ObjectNode get(String path) {
        return objects.get(path);
    }

    /** Paths of what is in the namespace. */
    synchronized List<String> paths() {
        return objects.keySet().stream()
                .filter(each -> each.contains("/namespaces/fs/"))
                .toList();
    }

    /** Changes so far. */
    synchronized int writes() {
        return writes;
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        try {
            return CompletableFuture.completedFuture(answer(call));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized HttpReply answer(HttpCall call) throws IOException {
        String path = call.path();
        if (!call.header("authorization").orElse("").equals("Bearer " + TOKEN)) {
            return status(401, "Unauthorized");
        }
        if (path.equals("/apis/serving.knative.dev/v1")) {
            return hasKnative
                    ? HttpReply.json(
                            200,
                            "{\"kind\":\"APIResourceList\",\"groupVersion\":\"serving.knative.dev/v1\",\"resources\":[]}")
                    : status(404, "the server could not find the requested resource");
        }
        if (path.endsWith("/selfsubjectaccessreviews")) {
            ObjectNode review = (ObjectNode) Json.mapper().readTree(call.body());
            JsonNode asked = review.path("spec").path("resourceAttributes");
            review.putObject("status")
                    .put(
                            "allowed",
                            !mayNot.contains(asked.path("verb").asText() + " "
                                    + asked.path("resource").asText()));
            return ok(review);
        }
        return switch (call.method()) {
            case "GET" -> read(call);
            case "PATCH" -> apply(call);
            case "PUT", "POST" -> write(call);
            case "DELETE" -> delete(path);
            default -> status(405, "method not allowed");
        };
    }

    private HttpReply read(HttpCall call) {
        ObjectNode found = objects.get(call.path());
        if (found != null) {
            return ok(found);
        }
        String last = call.path().substring(call.path().lastIndexOf('/') + 1);
        if (!call.path().contains("/namespaces/") || !last.endsWith("s") || last.contains("-")) {
            return status(404, "not found");
        }
        ObjectNode list = Json.object().put("kind", "List").put("apiVersion", "v1");
        ArrayNode items = list.putArray("items");
        String selector = call.query().getOrDefault("labelSelector", "");
        objects.forEach((path, object) -> {
            boolean isOne = path.startsWith(call.path() + "/")
                    && path.indexOf('/', call.path().length() + 1) < 0;
            int equals = selector.indexOf('=');
            // Of several labels none is looked at: only pods are asked for so.
            boolean isWanted = equals < 0
                    || selector.contains(",")
                    || object.path("metadata")
                            .path("labels")
                            .path(selector.substring(0, equals))
                            .asText()
                            .equals(selector.substring(equals + 1));
            if (isOne && isWanted) {
                items.add(object);
            }
        });
        return ok(list);
    }

    private HttpReply apply(HttpCall call) throws IOException {
        String path = call.path();
        ObjectNode wanted = (ObjectNode) Json.mapper().readTree(call.body());
        if (!refused.isEmpty() && path.endsWith(refused)) {
            return status(403, "pods \"x\" is forbidden: exceeded quota: small");
        }
        if (path.startsWith("/apis/serving.knative.dev/")) {
            List<String> wrong = services.violations(wanted);
            if (!wrong.isEmpty()) {
                return status(422, String.join("; ", wrong));
            }
        }
        ObjectNode before = objects.get(path);
        ObjectNode after = wanted.deepCopy();
        if (before != null) {
            // What controllers and the server have put there stays.
            if (before.has("status")) {
                after.set("status", before.get("status").deepCopy());
            }
            ObjectNode metadata = (ObjectNode) after.get("metadata");
            metadata.put(
                    "resourceVersion",
                    before.path("metadata").path("resourceVersion").asText());
            metadata.put(
                    "generation", before.path("metadata").path("generation").asInt());
        }
        if (before == null || !after.equals(before)) {
            ObjectNode metadata = (ObjectNode) after.get("metadata");
            metadata.put("resourceVersion", Integer.toString(writes + 1));
            metadata.put("generation", metadata.path("generation").asInt() + 1);
            if (call.query().containsKey("dryRun")) {
                return ok(after);
            }
            writes++;
            after = controller.apply(after);
            objects.put(path, after);
        }
        return ok(after);
    }

    private HttpReply write(HttpCall call) throws IOException {
        ObjectNode object = (ObjectNode) Json.mapper().readTree(call.body());
        String path = call.method().equals("PUT")
                ? call.path()
                : call.path() + "/" + object.path("metadata").path("name").asText();
        writes++;
        objects.put(path, object);
        return ok(object);
    }

    private HttpReply delete(String path) {
        if (objects.remove(path) == null) {
            return status(404, "not found");
        }
        writes++;
        return HttpReply.json(200, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
    }

    private static HttpReply ok(JsonNode body) {
        return HttpReply.json(200, body.toString());
    }

    private static HttpReply status(int code, String message) {
        ObjectNode body = Json.object()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", message)
                .put("code", code);
        return HttpReply.json(code, body.toString());
    }

    @Override
    public void close() {
        server.close();
    }
}
