package io.lambdafs.store.embedded.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.server.process.StoreService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store's server within this process. */
class StoreStartTest {
    @TempDir
    private Path folder;

    private StoreConfig config() throws IOException {
        return StoreConfig.load(Files.writeString(
                folder.resolve("config.json"),
                "{\"directory\": \"" + folder.resolve("data") + "\", \"insecure\": true, \"metricsPortFile\": \""
                        + folder.resolve("metrics-port") + "\"}"));
    }

    @Test
    void shouldServeItsDirectoryAloneUntilItIsClosed() throws Exception {
        StoreService service = StoreMain.start(config());
        try {
            assertThat(folder.resolve("data/CURRENT")).exists();
            String port = Files.readString(folder.resolve("metrics-port")).strip();
            HttpRequest health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/healthz"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(health, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("ok\n");
            assertThatThrownBy(() -> StoreMain.start(config()))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                    .hasMessageContaining("another process uses the store directory");
        } finally {
            service.close();
        }
        StoreMain.start(config()).close();
    }
}
