package io.lambdafs.rpc.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.rpc.http.body.HttpBody;
import io.lambdafs.rpc.http.body.ReplySource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bodies of any length, taken and made while they come and go. */
@Tag("once")
class HttpBodyTest {
    private static final int LARGE = 20 << 20;
    private static final int PART = 1 << 20;

    private final AtomicLong taken = new AtomicLong();
    private final AtomicInteger made = new AtomicInteger();
    private final CompletableFuture<HttpBody> held = new CompletableFuture<>();
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Bodies(), HttpLimits.defaults());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Sums what is sent to {@code /take}, holds {@code /hold}, refuses {@code /early}, and makes what {@code /make} asks for. */
    private final class Bodies implements HttpHandler {
        @Override
        public Admission admit(HttpCall head) {
            return switch (head.path()) {
                case "/take" -> new Admission.Taken(body -> take(body, new CRC32C()));
                case "/early" ->
                    new Admission.Taken(body -> CompletableFuture.completedFuture(HttpReply.text(403, "no")));
                case "/hold" ->
                    new Admission.Taken(body -> {
                        held.complete(body);
                        return new CompletableFuture<>();
                    });
                case "/known" -> {
                    String sender = head.header("sender").orElse("");
                    yield new Admission.Collected(call -> CompletableFuture.completedFuture(
                            HttpReply.text(200, sender + " sent " + call.body().length)));
                }
                default -> new Admission.Collected(this::handle);
            };
        }

        private CompletionStage<HttpReply> take(HttpBody body, CRC32C sum) {
            return body.next().thenCompose(piece -> {
                taken.addAndGet(piece.length);
                sum.update(piece);
                return piece.length > 0
                        ? take(body, sum)
                        : CompletableFuture.completedFuture(HttpReply.text(200, "" + sum.getValue()));
            });
        }

        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            int pieces = Integer.parseInt(call.query().getOrDefault("pieces", "0"));
            return CompletableFuture.completedFuture(
                    HttpReply.of(200, "application/octet-stream", new Source(pieces, call.flag("cut"))));
        }
    }

    private final class Source implements ReplySource {
        private static final int PIECE = 1 << 20;

        private final int pieces;
        private final boolean cut;

        Source(int pieces, boolean cut) {
            this.pieces = pieces;
            this.cut = cut;
        }

        @Override
        public long length() {
            return (long) pieces * PIECE;
        }

        @Override
        public CompletionStage<byte[]> next() {
            return made.incrementAndGet() == 3 && cut
                    ? CompletableFuture.failedFuture(new IOException("the storage is gone"))
                    : CompletableFuture.completedFuture(new byte[PIECE]);
        }

        @Override
        public void close() {
            closed.complete(true);
        }
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private HttpResponse<String> put(String path, HttpRequest.BodyPublisher body, boolean expect) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(path))
                        .expectContinue(expect)
                        .PUT(body)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldTakeABodyFarOverItsLimitsPieceByPiece() throws Exception {
        byte[] content = new byte[LARGE];
        new Random(1).nextBytes(content);
        CRC32C sum = new CRC32C();
        sum.update(content);

        for (boolean expect : new boolean[] {false, true}) {
            assertThat(put("/take", HttpRequest.BodyPublishers.ofByteArray(content), expect)
                            .body())
                    .isEqualTo("" + sum.getValue());
            // By chunks, on a connection that may be the same.
            assertThat(put(
                                    "/take",
                                    HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content)),
                                    expect)
                            .body())
                    .isEqualTo("" + sum.getValue());
        }
        assertThat(put("/take", HttpRequest.BodyPublishers.noBody(), false).body())
                .isEqualTo("0");
    }

    @Test
    void shouldReadNoMoreFromThePeerThanIsAskedFor() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            Thread sending = new Thread(() -> {
                try {
                    socket.getOutputStream()
                            .write(("PUT /hold HTTP/1.1\r\nContent-Length: " + 10L * LARGE + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                    for (int i = 0; i < 10 * LARGE / PART; i++) {
                        socket.getOutputStream().write(new byte[PART]);
                        made.incrementAndGet();
                    }
                } catch (IOException closing) {
                    made.addAndGet(100);
                }
            });
            sending.start();
            HttpBody body = held.join();
            long read = body.next().toCompletableFuture().join().length;

            assertThat(read).isPositive().isLessThan(LARGE);
            // Time in which it could send all of it.
            for (int i = 0; i < 4; i++) {
                put("/take", HttpRequest.BodyPublishers.ofByteArray(new byte[LARGE]), false);
            }
            assertThat(made.get()).as("parts sent").isLessThan(LARGE / PART);
        }
        assertThat(held.join()
                        .next()
                        .handle((piece, lost) -> true)
                        .toCompletableFuture()
                        .join())
                .isTrue();
    }

    @Test
    void shouldAnswerBeforeTheEndOfABodyThatItDoesNotWant() throws Exception {
        assertThat(put("/early", HttpRequest.BodyPublishers.ofByteArray(new byte[LARGE / 20]), true)
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void shouldAnswerEachRequestByWhatItsHeadTold() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            all.append("POST /known HTTP/1.1\r\nSender: " + i + "\r\nContent-Length: " + i + "\r\n\r\n")
                    .append("x".repeat(i));
        }
        all.append("GET /known HTTP/1.1\r\nSender: last\r\nConnection: close\r\n\r\n");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                            .lines()
                            .map(line -> line.replaceFirst("HTTP/1.1 .*", ""))
                            .filter(line -> line.contains(" sent ")))
                    .containsExactlyElementsOf(Stream.concat(
                                    IntStream.range(0, 20).mapToObj(i -> i + " sent " + i), Stream.of("last sent 0"))
                            .toList());
        }
    }

    @Test
    void shouldFailTheTakerWhenThePeerIsLost() throws Exception {
        CompletableFuture<byte[]> rest;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("PUT /hold HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc".getBytes(StandardCharsets.US_ASCII));
            HttpBody body = held.join();
            assertThat(body.next().toCompletableFuture().join()).isEqualTo("abc".getBytes(StandardCharsets.US_ASCII));
            rest = body.next().toCompletableFuture();
        }
        await().until(rest::isCompletedExceptionally);
    }

    @Test
    void shouldMakeABodyWhileItIsSentAndCloseItsSource() throws Exception {
        HttpResponse<byte[]> reply = client.send(
                HttpRequest.newBuilder(uri("/make?pieces=7")).build(), HttpResponse.BodyHandlers.ofByteArray());

        assertThat(reply.body()).hasSize(7 << 20);
        assertThat(reply.headers().firstValue("content-length")).contains("" + (7 << 20));
        assertThat(closed.join()).isTrue();
    }

    @Test
    void shouldMakeNoMoreOfABodyThanThePeerReads() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /make?pieces=1000 HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readNBytes(1_000);
            await().until(() -> made.get() >= 1);

            assertThat(made.get()).isLessThan(100);
        }
        assertThat(closed.join()).isTrue();
    }

    @Test
    void shouldCutAReplyWhoseSourceFails() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /make?pieces=9&cut=true HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().readAllBytes().length).isBetween(2 << 20, 3 << 20);
        }
        assertThat(closed.join()).isTrue();
    }
}
