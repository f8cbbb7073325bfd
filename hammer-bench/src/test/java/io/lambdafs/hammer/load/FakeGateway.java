package io.lambdafs.hammer.load;

import com.sun.net.httpserver.HttpServer;
import io.lambdafs.cluster.gateway.GatewayClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A gateway's management API that answers with what it was given. Thread-safe. */
final class FakeGateway implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    FakeGateway() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] body = answers.getOrDefault(exchange.getRequestURI().getPath(), "{}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    GatewayClient client() {
        return new GatewayClient(address(), null, Duration.ofSeconds(60), Optional.empty());
    }

    FakeGateway instances(String array) {
        answers.put("/lambdafs/v1/instances", "{\"instances\":" + array + "}");
        return this;
    }

    FakeGateway usage(String object) {
        answers.put("/lambdafs/v1/usage", object);
        return this;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
