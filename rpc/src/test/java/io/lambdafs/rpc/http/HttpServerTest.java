package io.lambdafs.rpc.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.testkit.PatientWaits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
@Tag("slow")
class HttpServerTest {
    private static final HttpHandler ECHO = call -> CompletableFuture.completedFuture(
            HttpReply.text(200, call.method() + " " + call.path() + " " + call.query() + " " + call.body().length)
                    .withHeader("X-Seen", call.header("x-ask").orElse("none")));

    private static final int SERVERS = 30;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void shouldHandOverMethodPathQueryHeadersAndBody() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults());
        HttpResponse<String> response = client.send(
                request(server, "/a%20b/c?blocking&x=1%262&x=3")
                        .header("X-Ask", "yes")
                        .POST(HttpRequest.BodyPublishers.ofString("hello"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .startsWith("POST /a b/c ")
                .contains("blocking=", "x=1&2")
                .endsWith(" 5");
        assertThat(response.headers().firstValue("x-seen")).contains("yes");
        assertThat(response.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
    }

    @Test
    void shouldAnswerPipelinedRequestsInOrder() throws Exception {
        List<CompletableFuture<HttpReply>> held = new CopyOnWriteArrayList<>();
        HttpServer server = start(
                call -> {
                    CompletableFuture<HttpReply> reply = new CompletableFuture<>();
                    held.add(reply);
                    return reply;
                },
                HttpLimits.defaults());
        try (Socket socket = connect(server)) {
            socket.getOutputStream()
                    .write(bytes("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n"));
            await().until(() -> held.size() == 1);
            held.get(0).complete(HttpReply.text(200, "first"));
            await().until(() -> held.size() == 2);
            held.get(1).complete(HttpReply.text(200, "second"));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(all).containsSubsequence("first", "HTTP/1.1 200 OK", "second");
        }
    }

    /** Answers the path {@code /stream} piece by piece, and others as a whole. */
    private static HttpHandler streaming(CompletableFuture<HttpStream> opened) {
        return new HttpHandler() {
            @Override
            public CompletionStage<HttpReply> handle(HttpCall call) {
                return ECHO.handle(call);
            }

            @Override
            public Optional<StreamedReply> stream(HttpCall call) {
                return call.path().equals("/stream")
                        ? Optional.of(
                                new StreamedReply("text/event-stream", Map.of("X-Kind", "live"), opened::complete))
                        : Optional.empty();
            }
        };
    }

    @Test
    void shouldForgetTheBodyOfARequestThatAStreamAnswers() throws Exception {
        byte[] body = new byte[1 << 20];
        HttpServer server = start(streaming(new CompletableFuture<>()), HttpLimits.defaults());
        // More than the bodies of all requests may be together.
        for (int i = 0; i < 40; i++) {
            HttpRequest post = request(server, "/stream")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            HttpResponse<InputStream> response = client.send(post, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            response.body().close();
        }
    }

    @Test
    void shouldSendAStreamPieceByPieceUntilItIsClosed() throws Exception {
        CompletableFuture<HttpStream> opened = new CompletableFuture<>();
        HttpServer server = start(streaming(opened), HttpLimits.defaults().withMaxInFlight(1));
        HttpResponse<InputStream> response =
                client.send(request(server, "/stream").build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("content-type")).contains("text/event-stream");
        assertThat(response.headers().firstValue("x-kind")).contains("live");
        HttpStream stream = opened.get();
        CompletableFuture<Void> over = new CompletableFuture<>();
        stream.onClose(() -> over.complete(null));
        assertThat(stream.send(bytes("one"))).isTrue();
        assertThat(response.body().readNBytes(3)).isEqualTo(bytes("one"));
        // It is a request in flight as long as it lasts, and none afterwards.
        assertThat(get(server, "/other").statusCode()).isEqualTo(503);
        assertThat(over).isNotDone();
        stream.close();
        over.get();
        assertThat(stream.send(bytes("two"))).isFalse();
        await().until(() -> get(server, "/other").statusCode() == 200);
    }

    @Test
    void shouldRefuseToSendToWhoDoesNotRead() throws Exception {
        CompletableFuture<HttpStream> opened = new CompletableFuture<>();
        HttpServer server = start(streaming(opened), HttpLimits.defaults());
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write(bytes("GET /stream HTTP/1.1\r\n\r\n"));
            HttpStream stream = opened.get();
            byte[] piece = new byte[1 << 20];
            int sent = 0;
            while (stream.send(piece.clone()) && sent < 100) {
                sent++;
            }
            // What the sockets hold, and the bound.
            assertThat(sent).isBetween(HttpStream.MAX_PENDING_BYTES >> 20, 50);
        }
    }

    private static HttpHandler ofMegabytes(int megabytes, AtomicInteger handled) {
        return call -> {
            handled.incrementAndGet();
            return CompletableFuture.completedFuture(HttpReply.text(200, "x".repeat(megabytes << 20)));
        };
    }

    @Test
    void shouldHandleTheNextRequestOnceThePeerHasReadTheReplyBefore() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        HttpServer server = start(ofMegabytes(1, handled), HttpLimits.defaults());
        int most = 200;
        try (Socket deaf = connect(server)) {
            deaf.getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n".repeat(most)));
            AtomicInteger before = new AtomicInteger();
            await().pollInterval(Duration.ofMillis(300)).until(() -> {
                int now = handled.get();
                return now > 0 && before.getAndSet(now) == now;
            });
            // The system's buffers take some.
            assertThat(handled.get()).isLessThan(50);
            while (handled.get() < most) {
                deaf.getInputStream().skipNBytes(1 << 20);
            }
        }
    }

    @Test
    void shouldCloseWhoDoesNotReadWhereAllTogetherLeaveTooMuchUnread() throws Exception {
        int most = 32 << 20;
        HttpServer server = start(
                ofMegabytes(16, new AtomicInteger()), HttpLimits.defaults().withMaxHeldBytes(most));
        List<Socket> deaf = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                deaf.add(connect(server));
                deaf.get(i).getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n"));
                await().until(() -> server.heldBytes() > 0);
                // The last reply, before somebody is closed for it.
                assertThat(server.heldBytes()).isLessThan(most + (17 << 20));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(get(server, "/").body()).hasSize(16 << 20);
            }
            int closed = 0;
            for (Socket each : deaf) {
                closed += isCut(each, 16 << 20) ? 1 : 0;
            }
            assertThat(closed).isGreaterThanOrEqualTo(deaf.size() - 4);
        } finally {
            for (Socket each : deaf) {
                each.close();
            }
        }
    }

    @Test
    void shouldCloseWhoSendsHeadsInPartWhereAllTogetherHoldTooMuch() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults().withMaxHeldBytes(2 << 20));
        byte[] head = bytes("GET / HTTP/1.1\r\n" + "a:b\r\n".repeat(3_000));
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                slow.add(connect(server));
                slow.get(i).setSoTimeout(1);
                // The first has been answered before, in the same bytes.
                slow.get(i).getOutputStream().write(i == 0 ? concat(bytes("GET / HTTP/1.1\r\n\r\n"), head) : head);
            }
            await().until(() -> {
                int closed = 0;
                for (Socket each : slow) {
                    closed += isClosed(each) ? 1 : 0;
                }
                return closed >= slow.size() - 2 && isClosed(slow.get(0));
            });
            assertThat(get(server, "/").statusCode()).isEqualTo(200);
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }

    private static byte[] concat(byte[] one, byte[] other) {
        return ByteBuffer.allocate(one.length + other.length)
                .put(one)
                .put(other)
                .array();
    }

    /** Loops that end leave a connection open now and then, so many servers. */
    @Test
    void shouldCloseEveryConnectionWithItself() throws Exception {
        for (int i = 0; i < SERVERS; i++) {
            HttpServer server = start(ECHO, HttpLimits.defaults());
            try (Socket socket = connect(server)) {
                socket.getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n"));
                assertThat(socket.getInputStream().read(new byte[1 << 10])).isPositive();

                server.close();

                await().until(() -> isClosed(socket));
            }
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static boolean isCut(Socket socket, int bytes) throws IOException {
        try {
            return socket.getInputStream().readNBytes(bytes).length < bytes;
        } catch (SocketException reset) {
            return true;
        }
    }

    private HttpResponse<String> get(HttpServer server, String path) throws Exception {
        return client.send(request(server, path).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldRefuseABodyOverTheLimitWith413() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults().withMaxBodyBytes(1000));
        assertThat(post(server, "/", new byte[1000]).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = post(server, "/", new byte[1001]);
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("over 1000 bytes");
        assertThat(post(server, "/", new byte[300_000]).statusCode()).isEqualTo(413);
        assertThat(raw(server, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + "x".repeat(2000)))
                .startsWith("HTTP/1.1 413 ");
        assertThat(post(server, "/", new byte[10]).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRefuseHeadersAndRequestLinesOverTheLimit() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults().withMaxHeaderBytes(1024));
        assertThat(raw(server, "GET / HTTP/1.1\r\nX-Long: " + "x".repeat(2000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
        assertThat(raw(server, "GET /" + "x".repeat(2000) + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 414 ");
    }

    @Test
    void shouldRefuseWhatIsNoHttp() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults());
        assertThat(raw(server, "\u0001\u0002\u0003 nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(raw(server, "GET /?a=%zz HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void shouldAnswer500WhenTheHandlerFailsEitherWayAndGoOn() throws Exception {
        HttpServer server = start(
                call -> switch (call.path()) {
                    case "/throws" -> throw new IllegalStateException("planted");
                    case "/fails" -> CompletableFuture.failedFuture(new IllegalStateException("planted"));
                    default -> CompletableFuture.completedFuture(HttpReply.empty(204));
                },
                HttpLimits.defaults());
        assertThat(post(server, "/throws", new byte[0]).statusCode()).isEqualTo(500);
        assertThat(post(server, "/fails", new byte[0]).body()).doesNotContain("planted");
        assertThat(post(server, "/", new byte[0]).statusCode()).isEqualTo(204);
    }

    @Test
    void shouldRefuseRequestsOverTheInFlightLimit() throws Exception {
        List<CompletableFuture<HttpReply>> held = new CopyOnWriteArrayList<>();
        HttpServer server = start(
                call -> {
                    CompletableFuture<HttpReply> reply = new CompletableFuture<>();
                    held.add(reply);
                    return reply;
                },
                HttpLimits.defaults().withMaxInFlight(2));
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            calls.add(client.sendAsync(request(server, "/").build(), HttpResponse.BodyHandlers.ofString()));
        }
        await().until(() -> held.size() == 2);
        assertThat(post(server, "/", new byte[0]).statusCode()).isEqualTo(503);
        held.forEach(reply -> reply.complete(HttpReply.empty(200)));
        for (CompletableFuture<HttpResponse<String>> call : calls) {
            assertThat(call.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseConnectionsOverTheLimitAndTakeThemAgainLater() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults().withMaxConnections(1));
        try (Socket first = connect(server)) {
            first.getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n"));
            assertThat(first.getInputStream().read()).isEqualTo('H');
            assertThat(raw(server, "GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 503 ");
        }
        await().untilAsserted(() -> assertThat(raw(server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 "));
    }

    @Test
    void shouldCloseIdleConnectionsButNotOnesWithACallUnderWay() throws Exception {
        CompletableFuture<HttpReply> held = new CompletableFuture<>();
        HttpServer server = start(call -> held, HttpLimits.defaults().withIdleTimeout(Duration.ofMillis(100)));
        try (Socket busy = connect(server);
                Socket idle = connect(server)) {
            busy.getOutputStream().write(bytes("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"));
            // The idle one ends after its time; by then the busy one has waited as long.
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            held.complete(HttpReply.text(200, "late"));
            assertThat(new String(busy.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("late");
        }
    }

    @Test
    void shouldCloseConnectionsWhoseRequestDoesNotComeInTime() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults().withRequestTimeout(Duration.ofMillis(300)));
        String request = "POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n";
        for (int begun : List.of(0, 5, request.length())) {
            try (Socket slow = connect(server)) {
                slow.getOutputStream().write(bytes(request.substring(0, begun)));
                // A byte now and then keeps it from being idle, and must not keep it open.
                slow.setSoTimeout(20);
                byte[] answer = new byte[12];
                int length = 0;
                for (int i = begun; length < answer.length; i++) {
                    try {
                        length += Math.max(0, slow.getInputStream().read(answer, length, answer.length - length));
                    } catch (SocketTimeoutException nothingYet) {
                        slow.getOutputStream().write(i < request.length() ? request.charAt(i) : 'x');
                    }
                }
                assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408");
            }
        }
    }

    @Test
    void shouldGiveEachRequestOfAConnectionItsTime() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults().withRequestTimeout(Duration.ofMillis(400)));
        try (Socket socket = connect(server)) {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(900)) {
                socket.getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n"));
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                socket.setSoTimeout(100);
                try {
                    while (socket.getInputStream().read() >= 0) {}
                    throw new AssertionError("closed between two requests");
                } catch (SocketTimeoutException theReplyIsRead) {
                    socket.setSoTimeout(300_000);
                }
            }
        }
    }

    @Test
    void shouldRefuseByTheHeadWithoutTakingTheBody() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        HttpServer server = start(new Guarded(handled), HttpLimits.defaults());
        // The body never comes, and nobody waits for it.
        assertThat(raw(server, "POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nbegun"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(raw(server, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(raw(server, "GET / HTTP/1.1\r\nAuthorization: me\r\nContent-Length: 5\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw(server, "POST / HTTP/1.1\r\nAuthorization: me\r\nContent-Length: 1048577\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(handled).hasValue(0);
    }

    @Test
    void shouldAnswerWhatCameBeforeARefusedRequestFirst() throws Exception {
        HttpServer server = start(new Guarded(new AtomicInteger()), HttpLimits.defaults());
        String both = raw(
                server,
                "POST / HTTP/1.1\r\nAuthorization: me\r\nContent-Length: 1\r\n\r\nx"
                        + "POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n");
        assertThat(both).startsWith("HTTP/1.1 204 ").contains("HTTP/1.1 401 ");
    }

    @Test
    void shouldHoldNoMoreBytesOfBodiesThanItsBudget() throws Exception {
        HttpServer server =
                start(ECHO, HttpLimits.defaults().withMaxBodyBytes(600).withMaxBodiesBytes(1000));
        String begun = "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 600\r\n\r\n" + "x".repeat(400);
        try (Socket first = connect(server);
                Socket second = connect(server)) {
            first.getOutputStream().write(bytes(begun));
            second.getOutputStream().write(bytes(begun));
            await().untilAsserted(() ->
                    assertThat(raw(server, begun + "x".repeat(200))).startsWith("HTTP/1.1 503 "));
            assertThat(raw(server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
            first.getOutputStream().write(bytes("x".repeat(200)));
            assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ");
        }
        await().untilAsserted(() ->
                assertThat(raw(server, begun + "x".repeat(200))).startsWith("HTTP/1.1 200 "));
        for (int i = 0; i < 5; i++) {
            assertThat(post(server, "/", new byte[600]).statusCode()).isEqualTo(200);
        }
    }

    /** Takes nothing from who does not say so. */
    private record Guarded(AtomicInteger handled) implements HttpHandler {
        @Override
        public Optional<HttpReply> refuse(HttpCall head) {
            assertThat(head.body()).isEmpty();
            return head.header("authorization").isPresent() ? Optional.empty() : Optional.of(HttpReply.empty(401));
        }

        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            handled.incrementAndGet();
            return CompletableFuture.supplyAsync(() -> HttpReply.empty(204));
        }
    }

    @Test
    void shouldNameTheAddressThatIsInUse() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults());
        assertThatThrownBy(() -> HttpServer.start(server.address(), ECHO, HttpLimits.defaults()))
                .isInstanceOf(AddressUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + server.port())
                .extracting(e -> ((AddressUnavailableException) e).address())
                .isEqualTo(server.address());
    }

    @Test
    void shouldRefuseConnectionsOnceClosed() throws Exception {
        HttpServer server = start(ECHO, HttpLimits.defaults());
        server.close();
        assertThatThrownBy(() -> connect(server)).isInstanceOf(IOException.class);
    }

    private HttpServer start(HttpHandler handler, HttpLimits limits) throws IOException {
        HttpServer server =
                HttpServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler, limits);
        open.add(server);
        return server;
    }

    private HttpResponse<String> post(HttpServer server, String path, byte[] body) throws Exception {
        return client.send(
                request(server, path)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(HttpServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(PatientWaits.PATIENCE);
    }

    private static String raw(HttpServer server, String request) throws IOException {
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write(bytes(request));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Socket connect(HttpServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(300_000);
        return socket;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldCloseAsManySlowConnectionsAsThereMayBeAndServeTheNext() throws Exception {
        int most = 300;
        HttpServer server = start(
                ECHO, HttpLimits.defaults().withMaxConnections(most).withRequestTimeout(Duration.ofMillis(1_500)));
        List<Socket> slow = new ArrayList<>();
        List<Socket> answered = new ArrayList<>();
        try {
            for (int i = 0; i < most; i++) {
                slow.add(connect(server));
                slow.get(i).getOutputStream().write(bytes("POST / HTTP/1.1\r\nX: "));
            }
            await().until(() ->
                    raw(server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 503 "));
            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                for (Socket each : slow) {
                    if (each.getInputStream().available() > 0) {
                        assertThat(new String(each.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                                .isEqualTo("HTTP/1.1 408");
                        each.getInputStream().readAllBytes();
                        answered.add(each);
                    } else {
                        each.getOutputStream().write('x');
                    }
                }
                slow.removeAll(answered);
                return slow.isEmpty();
            });
            await().until(() ->
                    raw(server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 200 "));
        } finally {
            for (Socket each : answered) {
                each.close();
            }
            for (Socket each : slow) {
                each.close();
            }
        }
    }
}
