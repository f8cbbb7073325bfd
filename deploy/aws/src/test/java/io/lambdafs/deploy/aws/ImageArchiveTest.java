package io.lambdafs.deploy.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ecr.EcrClient;

/** An image goes to a registry that speaks what registries speak. */
class ImageArchiveTest {
    private static final String PASSWORD = "password";
    private static final ImageArchive.Login LOGIN = new ImageArchive.Login("AWS", PASSWORD);
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString(("AWS:" + PASSWORD).getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path folder;

    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    private final Map<String, byte[]> uploads = new ConcurrentHashMap<>();
    private final AtomicInteger taken = new AtomicInteger();
    private HttpsServer registry;
    private ImageArchive archive;

    @BeforeEach
    void start() throws Exception {
        registry = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.setHttpsConfigurator(new HttpsConfigurator(tls()));
        registry.createContext("/", this::answer);
        registry.start();
        Path file = Files.writeString(folder.resolve("file"), "a file of the image");
        Path made = folder.resolve("image.tar");
        Jib.fromScratch()
                .addLayer(List.of(file), "/app")
                .setEntrypoint("java", "@/app/roles/instance")
                .setUser("10001")
                .containerize(Containerizer.to(TarImage.at(made).named("lambdafs:1"))
                        .setBaseImageLayersCache(folder.resolve("cache"))
                        .setApplicationLayersCache(folder.resolve("cache")));
        archive = ImageArchive.of(made);
    }

    /** By a certificate that nobody vouches for. */
    private SSLContext tls() throws Exception {
        Path store = folder.resolve("keys");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "registry",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString());
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    @AfterEach
    void stop() {
        registry.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            byte[] body = call.getRequestBody().readAllBytes();
            if (!BASIC.equals(call.getRequestHeaders().getFirst("Authorization"))) {
                call.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"registry\"");
                call.sendResponseHeaders(401, -1);
                return;
            }
            URI uri = call.getRequestURI();
            String last = uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1);
            switch (call.getRequestMethod()) {
                case "HEAD", "GET" -> {
                    byte[] found = uri.getPath().equals("/v2/") ? new byte[0] : blobs.get(last);
                    if (found != null) {
                        call.getResponseHeaders().set("Content-Length", Integer.toString(found.length));
                    }
                    call.sendResponseHeaders(found == null ? 404 : 200, -1);
                }
                case "POST" -> upload(call, "u" + taken.incrementAndGet(), new byte[0]);
                case "PATCH" -> upload(call, last, body);
                case "PUT" -> {
                    if (uri.getPath().contains("/manifests/")) {
                        manifests.put(last, body);
                    } else {
                        blobs.put(uri.getQuery().replaceAll(".*digest=", ""), uploads.getOrDefault(last, body));
                    }
                    call.sendResponseHeaders(201, -1);
                }
                default -> call.sendResponseHeaders(405, -1);
            }
        }
    }

    private void upload(HttpExchange call, String name, byte[] bytes) throws IOException {
        uploads.put(name, bytes);
        call.getResponseHeaders().set("Location", "/v2/mine/blobs/uploads/" + name);
        call.sendResponseHeaders(202, -1);
    }

    private String repository() {
        return "localhost:" + registry.getAddress().getPort() + "/mine";
    }

    @Test
    void shouldArriveAsItWasMadeAndOnlyOnce() throws Exception {
        String pushed = archive.push(repository(), LOGIN, true);

        assertThat(pushed).matches("localhost:[0-9]+/mine@sha256:[0-9a-f]{64}");
        JsonNode manifest = new ObjectMapper().readTree(manifests.get(archive.tag()));
        assertThat(manifest.path("layers"))
                .hasSize(1)
                .allSatisfy(layer ->
                        assertThat(blobs).containsKey(layer.path("digest").asText()));
        JsonNode config = new ObjectMapper()
                .readTree(blobs.get(manifest.path("config").path("digest").asText()));
        assertThat(config.path("config").path("Entrypoint").toString())
                .isEqualTo("[\"java\",\"@/app/roles/instance\"]");
        assertThat(config.path("config").path("User").asText()).isEqualTo("10001");

        int uploaded = taken.get();
        assertThat(ImageArchive.of(archive.file())).isEqualTo(archive);
        assertThat(archive.push(repository(), LOGIN, true)).isEqualTo(pushed);
        assertThat(taken).as("what is there is not sent again").hasValue(uploaded);
    }

    @Test
    void shouldSayWhatStandsInTheWay() {
        String repository = repository();
        assertThatThrownBy(() -> archive.push(repository, new ImageArchive.Login("AWS", "other"), true))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
                .hasMessageContaining("the right to push there");
        assertThat(manifests).isEmpty();
        registry.stop(0);

        assertThatThrownBy(() -> archive.push(repository, LOGIN, true))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining("cannot push");
        assertThatThrownBy(() -> ImageArchive.of(folder.resolve("none")))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("lambdafs image --out FILE makes one");
        assertThat(LOGIN.toString()).doesNotContain(PASSWORD);
    }

    @Test
    void shouldLogInToTheStacksRepository() throws Exception {
        try (MotoServer aws = MotoServer.start()) {
            StackChoice stack = new StackChoice("mine", "eu-north-1", aws.address(), Map.of(), Map.of());
            try (Ecr ecr = Ecr.open(stack);
                    EcrClient client = EcrClient.builder()
                            .region(Region.EU_NORTH_1)
                            .endpointOverride(aws.address())
                            .httpClient(UrlConnectionHttpClient.create())
                            .build()) {
                client.createRepository(asked -> asked.repositoryName("mine"));
                assertThat(ecr.has("mine", "1")).isFalse();
                client.putImage(asked -> asked.repositoryName("mine")
                        .imageTag("1")
                        .imageManifest("{}")
                        .imageManifestMediaType("application/vnd.docker.distribution.manifest.v2+json"));
                assertThat(ecr.has("mine", "1")).isTrue();
                assertThat(ecr.login().user()).isEqualTo("AWS");
            }
        }
    }
}
