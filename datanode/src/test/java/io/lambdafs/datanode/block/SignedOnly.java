package io.lambdafs.datanode.block;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lambdafs.rpc.objects.GoogleServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Adds to fake-gcs-server what it lacks of Google's XML API: signatures, {@code x-goog-if-generation-match: 0} and
 * {@code Content-MD5} are looked at. Thread-safe.
 */
final class SignedOnly implements AutoCloseable {
    private static final String RANGE = "range";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI behind;
    private final PublicKey key;
    private final HttpServer server;

    SignedOnly(URI behind, PublicKey key) throws IOException {
        this.behind = behind;
        this.key = key;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
            String refusal = GoogleServer.refusal(
                    exchange.getRequestMethod(), exchange.getRequestURI(), headers, key, Instant.now());
            if (!refusal.isEmpty()) {
                fail(exchange, refusal.equals("SignatureDoesNotMatch") ? 403 : 400, refusal);
            } else if (headers.containsKey("content-md5")
                    && !headers.get("content-md5").equals(md5(body))) {
                fail(exchange, 400, "BadDigest");
            } else {
                pass(exchange, headers, body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One after the other, so that no object comes between the condition and its write. */
    private synchronized void pass(HttpExchange exchange, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(behind.resolve(exchange.getRequestURI()));
        if ("0".equals(headers.get("x-goog-if-generation-match"))) {
            HttpRequest there = request.copy().GET().header(RANGE, "bytes=0-0").build();
            if (http.send(there, BodyHandlers.discarding()).statusCode() != 404) {
                fail(exchange, 412, "PreconditionFailed");
                return;
            }
        }
        if (headers.containsKey(RANGE)) {
            request.header(RANGE, headers.get(RANGE));
        }
        HttpResponse<byte[]> answer = http.send(
                request.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
        send(exchange, answer.statusCode(), answer.body());
    }

    private static void fail(HttpExchange exchange, int status, String code) throws IOException {
        send(exchange, status, ("<Error><Code>" + code + "</Code></Error>").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static String md5(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
