package io.lambdafs.platform.local.instance;

import io.lambdafs.platform.Json;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Serves AWS Lambda's Runtime API, version 2018-06-01, to one execution environment: its process requests the next
 * invocation and posts a response or error. One invocation runs at a time; between invocations the process may be
 * frozen. Thread-safe.
 */
final class RuntimeApi implements HttpHandler, AutoCloseable {
    private static final String INVOCATIONS = "/2018-06-01/runtime/invocation/";
    private static final String RESTORE = "/2018-06-01/runtime/restore/";
    private static final String INIT_ERROR = "/2018-06-01/runtime/init/error";
    /** Limit of a synchronous invocation. */
    private static final int MAX_BYTES = 6 << 20;

    /** Callbacks of the environment; called one after the other, and must be short. */
    interface Environment {
        /** The process waits and no invocation is pending. */
        void idle();

        /** The process is about to get an invocation. */
        void busy();
    }

    /** A requested invocation. */
    @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
    private record Invocation(String id, byte[] payload, long deadlineMillis, CompletableFuture<ActionReply> reply) {}

    private final String function;
    private final Environment environment;
    private final HttpServer server;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Queue<Invocation> waiting = new ArrayDeque<>();
    private final Map<String, Invocation> underWay = new HashMap<>();
    private @Nullable CompletableFuture<HttpReply> next;
    private long invocations;

    RuntimeApi(String function, Environment environment) throws IOException {
        this.function = function;
        this.environment = environment;
        HttpLimits limits = new HttpLimits(
                MAX_BYTES,
                2L * MAX_BYTES,
                2L * MAX_BYTES,
                16 << 10,
                Duration.ofSeconds(20),
                Duration.ofHours(1),
                8,
                8,
                1);
        this.server = HttpServer.start(new InetSocketAddress(Hosts.loopback(), 0), this, limits);
    }

    /** Returns the value of {@code AWS_LAMBDA_RUNTIME_API}. */
    String address() {
        return Hosts.withPort(Hosts.loopback(), server.port());
    }

    /** Completes when the process requests its first invocation; fails if its initialisation does. */
    CompletionStage<Void> ready() {
        return ready;
    }

    /**
     * Makes the process handle an invocation, after those requested before.
     *
     * @return its response with 200, or its error with 502
     */
    CompletionStage<ActionReply> invoke(byte[] payload, long deadlineMillis) {
        CompletableFuture<HttpReply> asker;
        Invocation invocation;
        synchronized (this) {
            String id = new java.util.UUID(0, ++invocations).toString();
            invocation = new Invocation(id, payload, deadlineMillis, new CompletableFuture<>());
            asker = next;
            next = null;
            if (asker == null) {
                waiting.add(invocation);
            } else {
                underWay.put(id, invocation);
                environment.busy();
            }
        }
        if (asker != null) {
            asker.complete(handedOver(invocation));
        }
        return invocation.reply();
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        String path = call.path();
        String route = call.method() + " " + path;
        if (route.equals("GET " + INVOCATIONS + "next")) {
            return asked();
        }
        if (route.equals("GET " + RESTORE + "next")) {
            return CompletableFuture.completedFuture(HttpReply.empty(200));
        }
        if (route.equals("POST " + INIT_ERROR) || route.equals("POST " + RESTORE + "error")) {
            ready.completeExceptionally(new IOException(
                    "the function could not be initialised: " + new String(call.body(), StandardCharsets.UTF_8)));
            return accepted();
        }
        if (call.method().equals("POST") && path.startsWith(INVOCATIONS)) {
            String[] parts = path.substring(INVOCATIONS.length()).split("/", -1);
            if (parts.length == 2 && (parts[1].equals("response") || parts[1].equals("error"))) {
                return answered(parts[0], parts[1].equals("response"), call.body());
            }
        }
        return CompletableFuture.completedFuture(error(404, "there is no " + route));
    }

    private CompletionStage<HttpReply> asked() {
        CompletableFuture<HttpReply> answer = new CompletableFuture<>();
        Invocation first;
        synchronized (this) {
            first = waiting.poll();
            if (first == null) {
                next = answer;
                environment.idle();
            } else {
                underWay.put(first.id(), first);
            }
        }
        if (first != null) {
            answer.complete(handedOver(first));
        }
        // Last, as a waiting caller now requests an invocation.
        ready.complete(null);
        return answer;
    }

    private HttpReply handedOver(Invocation invocation) {
        return HttpReply.json(200, invocation.payload())
                .withHeader("Lambda-Runtime-Aws-Request-Id", invocation.id())
                .withHeader("Lambda-Runtime-Deadline-Ms", Long.toString(invocation.deadlineMillis()))
                .withHeader(
                        "Lambda-Runtime-Invoked-Function-Arn",
                        "arn:aws:lambda:local:000000000000:function:" + function);
    }

    private CompletionStage<HttpReply> answered(String id, boolean isResponse, byte[] body) {
        Invocation invocation;
        synchronized (this) {
            invocation = underWay.remove(id);
        }
        if (invocation == null) {
            return CompletableFuture.completedFuture(error(400, "no such invocation is under way"));
        }
        if (isResponse) {
            invocation.reply().complete(new ActionReply(200, body));
        } else {
            String said = Json.shape(body) == Json.Shape.NO_OBJECT
                    ? "the function failed"
                    : Json.parseObject(body).path("errorMessage").asText("the function failed");
            invocation
                    .reply()
                    .complete(new ActionReply(502, Json.bytes(Json.object().put("error", said))));
        }
        return accepted();
    }

    private static CompletionStage<HttpReply> accepted() {
        return CompletableFuture.completedFuture(HttpReply.json(202, "{\"status\":\"OK\"}"));
    }

    private static HttpReply error(int status, String why) {
        return HttpReply.json(status, Json.bytes(Json.object().put("errorMessage", why)));
    }

    /** Ends the API; pending invocations fail. */
    @Override
    public void close() {
        Map<String, Invocation> open;
        synchronized (this) {
            waiting.forEach(each -> underWay.put(each.id(), each));
            waiting.clear();
            open = Map.copyOf(underWay);
            underWay.clear();
            next = null;
        }
        IOException gone = new IOException("the environment has ended");
        ready.completeExceptionally(gone);
        open.values().forEach(each -> each.reply().completeExceptionally(gone));
        server.close();
    }
}
