package io.lambdafs.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A stand-in for a platform, before λFS's own gateway: it has the platform's pages and no other, and proves nothing.
 * Remembers who asked for
 * another page.
 */
final class PlatformStandIn implements AutoCloseable {
    /** Whose pages they are. */
    enum Pages {
        /** Everything below {@code /api/v1}, and the page of limits. */
        OPENWHISK,
        /** A POST to each function's address. */
        KNATIVE,
        /** The same. */
        NUCLIO,
        /** Invoke alone; signatures are not looked at. */
        LAMBDA
    }

    private static final String LAMBDA = "/2015-03-31/functions/";

    private final Pages pages;
    private final URI gateway;
    private final String key;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    /** @param key by which the gateway is called, {@code user:password} */
    PlatformStandIn(Pages pages, URI gateway, String key) throws IOException {
        this.pages = pages;
        this.gateway = gateway;
        this.key = key;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Pages that it does not have and was asked for. */
    Queue<String> refused() {
        return refused;
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String path = call.getRequestURI().toString();
            String there = translated(call.getRequestMethod(), path);
            if (there.isEmpty()) {
                refused.add(call.getRequestMethod() + " " + path);
                call.sendResponseHeaders(404, -1);
                return;
            }
            HttpRequest.Builder request = HttpRequest.newBuilder(gateway.resolve(there))
                    .method(
                            call.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    call.getRequestBody().readAllBytes()))
                    .header("Content-Type", "application/json");
            String shown = call.getRequestHeaders().getFirst("Authorization");
            request.header(
                    "Authorization",
                    pages == Pages.OPENWHISK && shown != null
                            ? shown
                            : "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)));
            HttpResponse<byte[]> reply = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            reply.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> call.getResponseHeaders().set("Content-Type", type));
            call.sendResponseHeaders(reply.statusCode(), reply.body().length == 0 ? -1 : reply.body().length);
            call.getResponseBody().write(reply.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The page of the gateway behind a page; empty for one that the platform does not have. */
    private String translated(String method, String path) {
        return switch (pages) {
            case OPENWHISK -> path.equals("/") || path.startsWith("/api/v1") ? path : "";
            case KNATIVE, NUCLIO ->
                method.equals("POST") && path.toLowerCase(Locale.ROOT).matches("/[a-z0-9-]+/") ? action(path) : "";
            case LAMBDA -> path.startsWith(LAMBDA) ? action(path.substring(LAMBDA.length() - 1)) : "";
        };
    }

    private static String action(String path) {
        String name = path.substring(1).replaceAll("/.*", "");
        return "/api/v1/namespaces/_/actions/" + name + "?blocking=true&result=true";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
