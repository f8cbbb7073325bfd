package io.lambdafs.datanode.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the 409 of Azure and Google to a write with its own key. */
class CollidingWritesTest {
    private static final String KEY = "blocks/00/a";

    @TempDir
    Path spool;

    private final AtomicInteger conflicts = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers as both do, as far as a write of one request needs it. */
    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            asked.incrementAndGet();
            if (conflicts.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                exchange.getResponseHeaders().add("x-ms-error-code", "ContainerBeingDeleted");
                exchange.getResponseHeaders().add("content-type", "application/json");
                send(exchange, 409, "{\"error\": {\"code\": 409, \"message\": \"conflict\"}}");
                return;
            }
            boolean isAzure = exchange.getRequestMethod().equals("PUT")
                    && exchange.getRequestHeaders().containsKey("x-ms-version");
            if (isAzure) {
                exchange.getResponseHeaders().add("etag", "\"1\"");
                exchange.getResponseHeaders().add("last-modified", "Sun, 29 Nov 2026 05:00:00 GMT");
                exchange.getResponseHeaders().add("x-ms-request-server-encrypted", "true");
                send(exchange, 201, "");
                return;
            }
            if (exchange.getRequestMethod().equals("POST")
                    && String.valueOf(exchange.getRequestURI().getQuery()).contains("uploadType=resumable")) {
                exchange.getResponseHeaders().add("location", address() + "/session?upload_id=1");
            }
            exchange.getResponseHeaders().add("content-type", "application/json");
            send(
                    exchange,
                    200,
                    "{\"bucket\": \"bucket\", \"name\": \"" + KEY + "\", \"generation\": \"1\", \"size\": \"9\"}");
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void shouldRepeat(BlockStore store) {
        try (store;
                BlockStore.Upload upload = store.upload(KEY)) {
            upload.write(new byte[9], 0, 9);
            conflicts.set(2);
            upload.commit();
            assertThat(conflicts).hasValue(0);
            assertThat(asked).hasValueGreaterThan(2);

            conflicts.set(1_000);
            assertThatThrownBy(upload::commit)
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_CONFLICT))
                    .hasMessageContaining(KEY);
        }
    }

    @Test
    void shouldRepeatAWriteThatAzureSaysCollides() {
        shouldRepeat(AzureBlockStore.open(
                ObjectPlace.of("az://container"),
                "DefaultEndpointsProtocol=http;AccountName=me;AccountKey=AAAA;BlobEndpoint=" + address() + "/me;",
                Spool.open(spool)));
    }

    @Test
    void shouldRepeatAWriteThatGoogleSaysCollides() {
        shouldRepeat(GcsBlockStore.open(
                ObjectPlace.of("gs://bucket"), Map.of("STORAGE_EMULATOR_HOST", address()), Spool.open(spool)));
    }
}
