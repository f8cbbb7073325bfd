package io.lambdafs.platform.local.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoorsTest {
    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("test", 2, 100);
    private final Page page = new Page();
    private HttpServer server;
    private Doors doors;

    /** A door's page: each look finds a hundred calls more, of a millisecond each. */
    private static final class Page implements HttpHandler {
        private final AtomicInteger looks = new AtomicInteger();
        private volatile int status = 200;

        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            int calls = 100 * looks.incrementAndGet();
            return CompletableFuture.completedFuture(
                    HttpReply.text(status, """
                    # TYPE lambdafs_door_calls_seconds summary
                    lambdafs_door_calls_seconds_count{call="create"} %d
                    lambdafs_door_calls_seconds_sum{call="create"} %s
                    lambdafs_door_calls_seconds_count{call="delete"} 7
                    lambdafs_door_calls_seconds_sum{call="delete"} 7
                    # TYPE lambdafs_door_connections gauge
                    lambdafs_door_connections 3
                    # TYPE lambdafs_door_read_bytes counter
                    lambdafs_door_read_bytes_total %d
                    """.formatted(calls, calls / 1_000.0, 1_000 * calls)));
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), page, HttpLimits.pages());
        doors = new Doors(Map.of("hdfs-2", place("hdfs-2"), "webhdfs", place("webhdfs")), scheduler);
    }

    private Doors.Place place(String name) {
        return new Doors.Place(
                folder.resolve(name + ".pid"), folder.resolve(name + ".port"), folder.resolve(name + "-metrics.port"));
    }

    @AfterEach
    void stop() {
        doors.close();
        server.close();
        scheduler.close();
    }

    private void run(String name) throws IOException {
        Files.createFile(place(name).note());
        ServiceMain.writePort(place(name).port(), 8_020);
        ServiceMain.writePort(place(name).pages(), server.port());
    }

    /** Returns the first row once it has the value. */
    private JsonNode row(String field, String value) {
        return await().until(
                        () -> {
                            doors.ask();
                            return doors.json().path(0);
                        },
                        row -> row.path(field).asText().equals(value));
    }

    @Test
    void shouldTellWhereADoorIsAndHowMuchItDoes() throws Exception {
        doors.ask();
        assertThat(doors.json()).isEmpty();
        run("hdfs-2");
        JsonNode first = row("state", "answers");
        assertThat(first.path("name").asText()).isEqualTo("hdfs-2");
        assertThat(first.path("address").asText()).isEqualTo("hdfs://127.0.0.1:8020");
        assertThat(first.path("connections").asInt()).isEqualTo(3);
        // What was done before it was first heard has no rate; after that each call took a millisecond.
        JsonNode later = row("micros", "1000");
        assertThat(later.path("calls").asDouble()).isPositive();
        assertThat(later.path("readBytes").asDouble() / later.path("calls").asDouble())
                .isBetween(999.0, 1_001.0);
        assertThat(doors.json()).hasSize(1);
    }

    @Test
    void shouldCallADoorSilentThatRunsAndDoesNotAnswerAndForgetOneThatWasStopped() throws Exception {
        Files.createFile(place("webhdfs").note());
        JsonNode starting = row("state", "silent");
        assertThat(starting.path("name").asText()).isEqualTo("webhdfs");
        assertThat(starting.path("address").asText()).isEmpty();
        Files.delete(place("webhdfs").note());
        run("webhdfs");
        row("state", "answers");
        page.status = 500;
        row("state", "silent");
        page.status = 200;
        row("state", "answers");
        server.close();
        row("state", "silent");
        Files.delete(place("webhdfs").note());
        await().until(() -> {
            doors.ask();
            return doors.json().isEmpty();
        });
    }
}
