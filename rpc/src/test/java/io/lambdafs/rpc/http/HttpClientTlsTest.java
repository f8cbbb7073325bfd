package io.lambdafs.rpc.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpClientTlsTest {
    private static final char[] PASSWORD = "secret".toCharArray();

    @TempDir
    Path directory;

    private HttpsServer server;
    private KeyStore keys;

    /** A server with a certificate that says {@code localhost}. */
    @BeforeEach
    void serve() throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        String.valueOf(PASSWORD),
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File(directory.toFile(), "keytool.log"))
                .start();
        assertThat(keytool.waitFor()).isZero();
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private SslContext trusting() throws Exception {
        return SslContextBuilder.forClient()
                .trustManager((X509Certificate) keys.getCertificate("server"))
                .build();
    }

    private HttpReply get(HttpClient client, String host) throws Exception {
        URI uri = URI.create("https://" + host + ":" + server.getAddress().getPort() + "/");
        HttpRequest request = new HttpRequest("GET", uri, Map.of(), new byte[0], 1_000, TimeUnit.SECONDS.toNanos(20));
        try {
            return client.send(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    @Test
    void shouldSpeakTlsWithWhomItTrusts() throws Exception {
        try (HttpClient client = new HttpClient(Runnable::run, trusting())) {
            assertThat(get(client, "localhost").status()).isEqualTo(204);
        }
    }

    @Test
    void shouldNotSpeakWithAServerOfAnotherName() throws Exception {
        try (HttpClient client = new HttpClient(Runnable::run, trusting())) {
            assertRefused(client, "127.0.0.1");
        }
    }

    @Test
    void shouldNotSpeakWithAStranger() {
        try (HttpClient client = new HttpClient(Runnable::run)) {
            assertRefused(client, "localhost");
        }
    }

    private void assertRefused(HttpClient client, String host) {
        org.assertj.core.api.Assertions.assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> get(client, host))
                .withMessageStartingWith("no TLS with");
    }
}
