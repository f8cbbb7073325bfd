package io.lambdafs.store.embedded.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.store.embedded.StoreProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process: its pages, what it says when it cannot start, and how it ends. */
@Tag("once")
@Tag("slow")
class StoreMainTest {
    private static final int SIGTERM_EXIT = 143;

    @TempDir
    private Path folder;

    private String keys;

    @BeforeEach
    void makeSecret() {
        Path secret = folder.resolve("secret");
        Secret.loadOrCreate(secret);
        keys = "\"directory\": \"" + folder.resolve("data") + "\", \"secretFile\": \"" + secret + "\"";
    }

    @Test
    void shouldServeItsPagesAndEndInOrder() throws Exception {
        Path metricsPort = folder.resolve("metrics-port");
        try (StoreProcess store = StoreProcess.start(folder, keys + ", \"metricsPortFile\": \"" + metricsPort + "\"")) {
            store.address();
            String base = "http://127.0.0.1:" + Files.readString(metricsPort).strip();
            assertThat(get(base + "/healthz")).isEqualTo("ok\n");
            assertThat(get(base + "/metrics"))
                    .contains("lambdafs_store_commits_total 1.0", "lambdafs_store_fsync_seconds_bucket")
                    .contains("lambdafs_store_transactions_open 0.0", "lambdafs_store_locks_waits_total");
            store.terminate();
            assertThat(store.exitCode()).isEqualTo(SIGTERM_EXIT);
            assertThat(store.output()).contains("Store ready at", "Store stops").doesNotContain("WARN", "ERROR");
        }
    }

    private static String get(String uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void shouldRefuseADirectoryThatAnotherProcessUses() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        try (StoreProcess first = StoreProcess.start(folder, keys)) {
            first.address();
            try (StoreProcess second = StoreProcess.start(other, keys)) {
                assertThat(second.exitCode()).isEqualTo(3);
                assertThat(second.output()).contains("another process uses the store directory", "data");
            }
        }
    }

    @Test
    void shouldRefuseAPortInUseAndLeaveTheDirectoryFree() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            try (StoreProcess store = StoreProcess.start(folder, keys + ", \"port\": " + taken.getLocalPort())) {
                assertThat(store.exitCode()).isEqualTo(3);
                assertThat(store.output()).contains(String.valueOf(taken.getLocalPort()));
            }
        }
        try (StoreProcess store = StoreProcess.start(folder, keys)) {
            assertThat(store.address().getPort()).isPositive();
        }
    }

    @Test
    void shouldSayHowItIsUsed() throws Exception {
        try (StoreProcess store = StoreProcess.run(folder)) {
            assertThat(store.exitCode()).isEqualTo(2);
            assertThat(store.output()).contains("usage: StoreMain CONFIG.json");
        }
        try (StoreProcess store =
                StoreProcess.run(folder, folder.resolve("nowhere.json").toString())) {
            assertThat(store.exitCode()).isEqualTo(2);
            assertThat(store.output()).contains("nowhere.json");
        }
    }
}
