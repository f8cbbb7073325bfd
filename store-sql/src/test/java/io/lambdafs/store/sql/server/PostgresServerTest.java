package io.lambdafs.store.sql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.server.process.StoreService;
import io.lambdafs.store.sql.SqlStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The PostgreSQL that a cluster starts, and the store's server on it. */
class PostgresServerTest {
    private Path folder;
    private @Nullable PostgresServer server;

    @BeforeEach
    void makeFolder() throws IOException {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed: there is no initdb");
        folder = Files.createTempDirectory("lambdafs-postgres-");
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.kill();
        }
        try (var all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
        }
    }

    private Path config(String keys) throws IOException {
        return Files.writeString(
                folder.resolve("config.json"),
                "{\"directory\": \"" + folder.resolve("data") + "\", \"portFile\": \"" + folder.resolve("port") + "\""
                        + keys + "}");
    }

    private static Connection connect(int port, String password) throws SQLException {
        return DriverManager.getConnection(PostgresServer.url(port), PostgresServer.ACCOUNT, password);
    }

    private static void refused(ThrowingCallable call, String... texts) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContainingAll(texts);
    }

    @Test
    void shouldLeaveNoServerBehindWhereItsPortCannotBeWritten() throws Exception {
        Files.createDirectories(folder.resolve("port/taken"));
        Path config = config("");

        assertThatThrownBy(() -> PostgresMain.start(config)).isInstanceOf(IOException.class);

        Path pid = folder.resolve("data/postmaster.pid");
        if (Files.exists(pid)) {
            assertThat(ProcessHandle.of(
                            Long.parseLong(Files.readAllLines(pid).get(0).strip())))
                    .isNotPresent();
        }
    }

    @Test
    void shouldServeByItsPasswordAndKeepWhatItHasOverAnEndInOrder() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "sesame");
        Path config = config(", \"passwordFile\": \"" + password + "\"");
        server = PostgresMain.start(config);
        int port = server.port();
        assertThat(folder.resolve("port")).hasContent(port + "\n");
        assertThat(Files.getPosixFilePermissions(folder.resolve("data"))).hasSize(3);
        try (Connection connection = connect(port, "sesame")) {
            connection.createStatement().execute("CREATE TABLE kept AS SELECT 7 AS value");
        }
        assertThatThrownBy(() -> connect(port, "wrong")).hasMessageContaining("password");
        PostgresServer running = server;
        CompletableFuture<Boolean> end = CompletableFuture.supplyAsync(() -> {
            try {
                return running.awaitEnd();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(end).isNotDone();
        refused(
                () -> new PostgresServer(folder.resolve("data"), port, null, ProcessBuilder.Redirect.DISCARD).start(),
                "does not start");
        running.close();
        assertThat(end.get()).as("whether it was closed").isTrue();
        assertThat(folder.resolve("data/postmaster.pid")).doesNotExist();
        running.close();

        server = PostgresMain.start(config(", \"port\": " + port + ", \"passwordFile\": \"" + password + "\""));
        assertThat(server.port()).isEqualTo(port);
        try (Connection connection = connect(port, "sesame");
                var row = connection.createStatement().executeQuery("SELECT value FROM kept")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1)).isEqualTo(7);
        }
    }

    @Test
    void shouldSayWhyThereIsNoDatabase() throws Exception {
        PostgresServer nothing = new PostgresServer(folder.resolve("copy"), 0, null, ProcessBuilder.Redirect.DISCARD);
        refused(() -> nothing.follow(1, "standby"), "cannot copy the PostgreSQL database at port 1", "copy");
        nothing.kill();
        nothing.close();
        assertThat(nothing.awaitEnd()).isTrue();
        Files.writeString(Files.createDirectory(folder.resolve("data")).resolve("stranger"), "");
        refused(() -> PostgresMain.start(config("")), "cannot make a PostgreSQL database in", "not empty");
        assertThat(folder.resolve("port")).doesNotExist();
        assertThatThrownBy(() -> PostgresMain.start(config(", \"prt\": 1"))).hasMessageContaining("prt");
    }

    /** Its process ends by that, and is started again. */
    @Test
    void shouldNoticeThatTheDatabaseHasEnded() throws Exception {
        CompletableFuture<Throwable> died = new CompletableFuture<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, why) -> died.complete(why));
        try {
            server = PostgresMain.start(config(""));
            long pid = Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid"))
                    .get(0)
                    .strip());
            assertThat(died).isNotDone();
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            assertThat(died.get()).hasMessage("PostgreSQL has ended");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** As the process that a cluster starts beside it. */
    @Test
    void shouldServeTheStoreOnIt() throws Exception {
        server = PostgresMain.start(config(""));
        Path config = Files.writeString(
                folder.resolve("store.json"),
                "{\"jdbcUrl\": \"" + PostgresServer.url(server.port()) + "\", \"user\": \"" + PostgresServer.ACCOUNT
                        + "\", \"cluster\": \"c\", \"insecure\": true, \"metricsPortFile\": \""
                        + folder.resolve("metrics-port") + "\"}");
        try (StoreService service = SqlStoreMain.start(SqlStoreConfig.load(config))) {
            assertThat(service).isNotNull();
            String port = Files.readString(folder.resolve("metrics-port")).strip();
            HttpRequest health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/healthz"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(health, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("ok\n");
        }
        SqlStoreConfig other = SqlStoreConfig.load(
                Files.writeString(config, Files.readString(config).replace("\"c\"", "\"another\", \"standby\": true")));
        assertThatThrownBy(() -> SqlStoreMain.start(other))
                .as("a standby that would wait for a database that it may not have")
                .hasMessageContaining("belong to the cluster c");
        assertThatThrownBy(() -> SqlStore.demandSound(other.settings())).isInstanceOf(FsException.class);
    }
}
