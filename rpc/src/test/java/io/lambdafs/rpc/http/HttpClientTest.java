package io.lambdafs.rpc.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpClientTest {
    private static final long WAIT = PatientWaits.PATIENCE.toNanos();
    private static final int LARGEST = 100_000;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final HttpClient client = new HttpClient(executor);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        client.close();
        for (AutoCloseable each : open) {
            each.close();
        }
        executor.shutdownNow();
    }

    private HttpServer serve(HttpHandler handler, HttpLimits limits) throws IOException {
        HttpServer server =
                HttpServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler, limits);
        open.add(server);
        return server;
    }

    private HttpServer serve(HttpHandler handler) throws IOException {
        return serve(handler, HttpLimits.defaults());
    }

    /** Answers every connection's first request with these bytes, and closes it then where that is asked for. */
    private URI answering(String bytes, boolean close) throws IOException {
        ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        open.add(listener);
        List<Socket> accepted = new CopyOnWriteArrayList<>();
        open.add(() -> {
            for (Socket each : accepted) {
                each.close();
            }
        });
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    accepted.add(socket);
                    assertThat(socket.getInputStream().read(new byte[4_096])).isPositive();
                    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
                    if (close) {
                        socket.close();
                    }
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private static URI uri(HttpServer server, String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static HttpRequest get(URI uri) {
        return new HttpRequest("GET", uri, Map.of(), new byte[0], LARGEST, WAIT);
    }

    private static HttpReply reply(CompletionStage<HttpReply> reply) throws Exception {
        return reply.toCompletableFuture().get();
    }

    private Throwable failure(HttpRequest request) throws Exception {
        try {
            HttpReply reply = reply(client.send(request));
            throw new AssertionError("answered with " + reply.status());
        } catch (ExecutionException expected) {
            return expected.getCause();
        }
    }

    private static CompletionStage<HttpReply> port(HttpCall call) {
        return CompletableFuture.completedFuture(
                HttpReply.text(200, String.valueOf(call.remote().getPort())));
    }

    private static HttpHandler saying(String text) {
        return call -> CompletableFuture.completedFuture(HttpReply.text(200, text));
    }

    private static String text(HttpReply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    /** Answers with the caller's port, and proves to hold its keys. */
    private record Keyed(List<Secret> keys, List<String> asked) implements HttpHandler {
        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            asked.add(call.path());
            return port(call);
        }
    }

    @Test
    void shouldShowNothingToAServerThatDoesNotProveItself() throws Exception {
        Secret key = Secret.generate();
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer real = serve(new Keyed(List.of(key), new CopyOnWriteArrayList<>()));
        HttpServer other = serve(new Keyed(List.of(Secret.generate()), asked));
        // In the middle: what the real one proves at its own port is not good at this one.
        HttpServer relay = serve(call -> {
            if (!call.path().equals(ServerProof.PATH)) {
                asked.add(call.path());
            }
            return client.send(
                    get(uri(real, call.path() + "?nonce=" + call.query().get("nonce"))));
        });
        URI silent = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false);

        for (URI impostor : List.of(uri(other, "/"), uri(relay, "/"), silent)) {
            assertThat(failure(get(impostor).demanding(key)))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
                    .hasMessageContaining("has not proved to know this client's key");
        }
        assertThat(asked).isEmpty();
        assertThat(reply(client.send(get(uri(real, "/")).demanding(key))).status())
                .isEqualTo(200);
    }

    @Test
    void shouldTellWhereSomethingListensButBreaksTheConnectionBeforeItsProof() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // Often, as it may be closed before the client's threads know that it was opened.
            for (int i = 0; i < 2_000; i++) {
                CompletionStage<HttpReply> reply =
                        client.send(get(URI.create("http://127.0.0.1:" + socket.getLocalPort()))
                                .demanding(Secret.generate()));
                socket.accept().close();

                assertThat(reply)
                        .failsWithin(PatientWaits.PATIENCE)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(LostBeforeRequestException.class)
                        .withMessageContaining("no proof of the server at 127.0.0.1");
            }
        }
    }

    @Test
    void shouldAskForAProofOnceForEachConnection() throws Exception {
        Secret key = Secret.generate();
        HttpServer server = serve(new Keyed(List.of(Secret.generate(), key), new CopyOnWriteArrayList<>()));

        String first = text(reply(client.send(get(uri(server, "/")).demanding(key))));
        String second = text(reply(client.send(get(uri(server, "/")).demanding(key))));
        String unproved = text(reply(client.send(get(uri(server, "/")))));

        assertThat(second).isEqualTo(first);
        assertThat(unproved).isNotEqualTo(first);
    }

    @Test
    void shouldSendAndReceiveAllOfIt() throws Exception {
        HttpServer server = serve(call -> CompletableFuture.completedFuture(HttpReply.text(
                        418,
                        call.method() + " " + call.path() + " " + call.query() + " "
                                + call.header("x-ask").orElse("") + " "
                                + call.header("host").orElse("") + " "
                                + new String(call.body(), StandardCharsets.UTF_8))
                .withHeader("X-Told", "so")));

        HttpReply posted = reply(client.send(new HttpRequest(
                "POST",
                uri(server, "/a%20b?x=1%262&y"),
                Map.of("X-Ask", "yes"),
                "hello".getBytes(StandardCharsets.UTF_8),
                LARGEST,
                WAIT)));
        HttpReply got = reply(client.send(get(uri(server, ""))));

        assertThat(posted.status()).isEqualTo(418);
        assertThat(text(posted))
                .startsWith("POST /a b {")
                .contains("x=1&2", "y=")
                .endsWith("} yes 127.0.0.1:" + server.port() + " hello");
        assertThat(posted.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(posted.headers()).containsEntry("x-told", "so");
        assertThat(text(got)).startsWith("GET / {}").endsWith(server.port() + " ");
    }

    @Test
    void shouldUseAConnectionForOneRequestAfterTheOther() throws Exception {
        HttpServer server = serve(HttpClientTest::port);
        String first = text(reply(client.send(get(uri(server, "/")))));

        assertThat(text(reply(client.send(get(uri(server, "/")))))).isEqualTo(first);
        assertThat(text(reply(client.send(get(uri(server, "/")))))).isEqualTo(first);
    }

    @Test
    void shouldGiveEachRequestUnderWayAConnectionOfItsOwn() throws Exception {
        List<CompletableFuture<HttpReply>> held = new CopyOnWriteArrayList<>();
        List<Integer> ports = new CopyOnWriteArrayList<>();
        HttpServer server = serve(call -> {
            ports.add(call.remote().getPort());
            CompletableFuture<HttpReply> reply = new CompletableFuture<>();
            held.add(reply);
            return reply;
        });
        List<CompletionStage<HttpReply>> replies = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            replies.add(client.send(get(uri(server, "/"))));
        }
        await().until(() -> held.size() == 20);
        assertThat(ports).doesNotHaveDuplicates();
        for (int i = 0; i < 20; i++) {
            held.get(i).complete(HttpReply.text(200, ""));
        }
        for (CompletionStage<HttpReply> each : replies) {
            assertThat(reply(each).status()).isEqualTo(200);
        }

        CompletionStage<HttpReply> next = client.send(get(uri(server, "/")));
        await().until(() -> held.size() == 21);
        assertThat(ports.subList(0, 20)).contains(ports.get(20));
        held.get(20).complete(HttpReply.text(200, ""));
        reply(next);
    }

    @Test
    void shouldMakeANewConnectionWhereTheServerHasClosedTheOld() throws Exception {
        HttpServer server = serve(saying("old"));
        int port = server.port();
        assertThat(text(reply(client.send(get(uri(server, "/")))))).isEqualTo("old");
        server.close();
        HttpServer again = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), saying("new"), HttpLimits.defaults());
        open.add(again);

        await().untilAsserted(() -> assertThat(client.send(get(uri(again, "/"))).toCompletableFuture())
                .succeedsWithin(PatientWaits.PATIENCE)
                .satisfies(reply -> assertThat(text(reply)).isEqualTo("new")));
    }

    @Test
    void shouldTakeTheSchemeInAnyCase() throws Exception {
        HttpServer server = serve(saying("here"));

        URI shouted = URI.create(uri(server, "/").toString().replace("http://", "HTTP://"));

        assertThat(text(reply(client.send(get(shouted))))).isEqualTo("here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\n\r\nhello"
            })
    void shouldUnderstandReplies(String bytes) throws Exception {
        URI server = answering(bytes, bytes.endsWith("OK\r\n\r\nhello"));

        HttpReply reply = reply(client.send(get(server)));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(text(reply)).isEqualTo("hello");
    }

    @Test
    void shouldNotReuseWhatTheServerIsToClose() throws Exception {
        URI server = answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false);

        assertThat(reply(client.send(get(server))).status()).isEqualTo(200);
        assertThat(reply(client.send(get(server))).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-",
                "HTTP/1.1 two hundred\r\n\r\n",
                "HTTP/1.1 700 No\r\nContent-Length: 0\r\n\r\n",
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhe\r\n"
            })
    void shouldFailWhereTheReplyIsNone(String bytes) throws Exception {
        assertThat(failure(get(answering(bytes, true))))
                .isInstanceOf(IOException.class)
                .isNotInstanceOfAny(ConnectException.class, SocketTimeoutException.class);
    }

    @Test
    void shouldTakeNoReplyOverTheLimit() throws Exception {
        HttpServer server = serve(call -> CompletableFuture.completedFuture(
                HttpReply.json(200, new byte[call.path().equals("/over") ? LARGEST + 1 : LARGEST])));

        assertThat(failure(get(uri(server, "/over"))))
                .isInstanceOfSatisfying(
                        FsException.class, why -> assertThat(why.code()).isEqualTo(ErrorCode.BAD_FRAME))
                .hasMessageContaining("more than " + LARGEST);
        assertThat(reply(client.send(get(uri(server, "/at")))).body()).hasSize(LARGEST);
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }

        assertThat(failure(get(URI.create("http://127.0.0.1:" + free)))).isInstanceOf(ConnectException.class);
        assertThat(failure(get(URI.create("http://nowhere.invalid:" + free))))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("nowhere.invalid");
    }

    @Test
    void shouldGiveUpInTimeAndNotTakeTheLateReplyForTheNext() throws Exception {
        CompletableFuture<HttpReply> late = new CompletableFuture<>();
        HttpServer server = serve(call ->
                call.path().equals("/late") ? late : CompletableFuture.completedFuture(HttpReply.text(200, "mine")));

        HttpRequest hasty = new HttpRequest(
                "GET", uri(server, "/late"), Map.of(), new byte[0], LARGEST, TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(failure(hasty)).isInstanceOf(SocketTimeoutException.class);
        CompletionStage<HttpReply> next = client.send(get(uri(server, "/")));
        late.complete(HttpReply.text(200, "late"));

        assertThat(text(reply(next))).isEqualTo("mine");
        assertThat(text(reply(client.send(get(uri(server, "/")))))).isEqualTo("mine");
    }

    @Test
    void shouldNotUseAConnectionThatIsAboutToBeClosed() throws Exception {
        CompletableFuture<HttpReply> late = new CompletableFuture<>();
        List<Integer> ports = new CopyOnWriteArrayList<>();
        HttpServer server = serve(call -> {
            ports.add(call.remote().getPort());
            return call.path().equals("/late") ? late : port(call);
        });
        AtomicInteger tasks = new AtomicInteger();
        List<Runnable> held = new CopyOnWriteArrayList<>();
        try (HttpClient slow = new HttpClient(task -> {
            // The second tells that the time is up, and has the connection closed.
            if (tasks.incrementAndGet() == 2) {
                held.add(task);
            } else {
                task.run();
            }
        })) {
            slow.send(new HttpRequest(
                    "GET", uri(server, "/late"), Map.of(), new byte[0], LARGEST, TimeUnit.SECONDS.toNanos(1)));
            await().until(() -> held.size() == 1);
            late.complete(HttpReply.text(200, "late"));

            for (int i = 0; i < 100; i++) {
                assertThat(reply(slow.send(get(uri(server, "/")))).status()).isEqualTo(200);
            }

            assertThat(ports.subList(1, ports.size())).hasSize(100).doesNotContain(ports.get(0));
        }
    }

    @Test
    void shouldTellTheCallerWhateverBecomesOfItsExecutor() throws Exception {
        HttpServer server = serve(HttpClientTest::port);
        try (HttpClient own = new HttpClient(task -> {
            if (Thread.currentThread().getName().startsWith("http-client")) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        })) {
            assertThat(own.send(get(uri(server, "/"))))
                    .failsWithin(PatientWaits.PATIENCE)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ConnectException.class);
        }
    }

    @Test
    void shouldFailWhatIsUnderWayWhenClosed() throws Exception {
        CompletableFuture<HttpReply> never = new CompletableFuture<>();
        List<String> seen = new CopyOnWriteArrayList<>();
        HttpServer server = serve(call -> {
            seen.add(call.path());
            return never;
        });
        CompletionStage<HttpReply> reply = client.send(get(uri(server, "/held")));
        await().until(() -> seen.contains("/held"));

        client.close();

        assertThat(reply)
                .failsWithin(PatientWaits.PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IOException.class);
        assertThat(failure(get(uri(server, "/")))).isInstanceOf(ConnectException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/path", "ftp://host/", "http:/path", "mailto:a@b"})
    void shouldRefuseAddressesOfNoHttpServer(String uri) {
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> get(URI.create(uri)))
                .withMessageContaining(uri);
    }
}
