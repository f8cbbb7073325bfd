package io.lambdafs.rpc.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.tls.TestAuthority;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpClientTlsTest {
    @TempDir
    Path directory;

    private TestAuthority authority;
    private HttpServer server;

    /** A server with a certificate that says {@code localhost}. */
    @BeforeEach
    void serve() throws Exception {
        authority = new TestAuthority(directory);
        server = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                call -> CompletableFuture.completedFuture(HttpReply.empty(204)),
                HttpLimits.pages(),
                Optional.of(authority.service("localhost")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpReply get(HttpClient client, String schemeAndHost) throws Exception {
        return send(
                client,
                new HttpRequest(
                        "GET",
                        URI.create(schemeAndHost + ":" + server.port() + "/"),
                        Map.of(),
                        new byte[0],
                        1_000,
                        TimeUnit.SECONDS.toNanos(20)));
    }

    private static HttpReply send(HttpClient client, HttpRequest request) throws Exception {
        try {
            return client.send(request).toCompletableFuture().get();
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    @Test
    void shouldSpeakTlsWithWhomItTrusts() throws Exception {
        try (HttpClient client = new HttpClient(Runnable::run, Optional.of(authority.user()))) {
            assertThat(get(client, "https://localhost").status()).isEqualTo(204);
            assertThat(get(client, "https://localhost").status()).isEqualTo(204);
        }
    }

    @Test
    void shouldNotSpeakWithAServerOfAnotherName() {
        try (HttpClient client = new HttpClient(Runnable::run, Optional.of(authority.user()))) {
            assertRefused(client, "https://127.0.0.1", "a certificate that names this address");
        }
    }

    @Test
    void shouldExpectANameWhateverTheAddressWhereToldOne() throws Exception {
        try (HttpClient client =
                new HttpClient(Runnable::run, Optional.of(authority.user()), Optional.of("localhost"))) {
            assertThat(get(client, "https://127.0.0.1").status()).isEqualTo(204);
        }
        try (HttpClient client = new HttpClient(Runnable::run, Optional.of(authority.user()), Optional.of("other"))) {
            assertRefused(client, "https://localhost", "a certificate that names this address");
        }
    }

    @Test
    void shouldNotSpeakWithAStranger() {
        try (HttpClient client = new HttpClient(Runnable::run)) {
            assertRefused(client, "https://localhost", "not of the CA that is trusted here");
        }
    }

    @Test
    void shouldTellWhoSpeaksPlainlyWhatToDo() throws Exception {
        try (HttpClient client = new HttpClient(Runnable::run)) {
            HttpReply refusal = get(client, "http://localhost");

            assertThat(refusal.status()).isEqualTo(426);
            assertThat(new String(refusal.body(), StandardCharsets.UTF_8)).contains("LFS-204", "use https", "tls.ca");
        }
    }

    @Test
    void shouldTellWhoWantsAProofWithoutTlsWhatToDo() {
        HttpRequest request = HttpRequest.get(
                        URI.create("http://localhost:" + server.port() + "/"), 1_000, TimeUnit.SECONDS.toNanos(20))
                .demanding(Secret.generate());
        try (HttpClient client = new HttpClient(Runnable::run)) {
            assertThatExceptionOfType(FsException.class)
                    .isThrownBy(() -> send(client, request))
                    .matches(why -> why.code() == ErrorCode.NOT_TRUSTED)
                    .withMessageContaining("use https");
        }
    }

    private void assertRefused(HttpClient client, String schemeAndHost, String why) {
        assertThatExceptionOfType(FsException.class)
                .isThrownBy(() -> get(client, schemeAndHost))
                .matches(refused -> refused.code() == ErrorCode.NOT_TRUSTED)
                .withMessageStartingWith("no TLS with")
                .withMessageContaining(why);
    }
}
