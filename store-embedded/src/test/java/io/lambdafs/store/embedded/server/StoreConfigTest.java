package io.lambdafs.store.embedded.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.embedded.RocksSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of the embedded store's server. */
class StoreConfigTest {
    @TempDir
    private Path folder;

    private String keys;

    @BeforeEach
    void makeKeys() {
        keys = "\"directory\": \"" + folder.resolve("data") + "\", \"secretFile\": \"" + folder.resolve("secret")
                + "\"";
    }

    private StoreConfig config(String json) throws IOException {
        return StoreConfig.load(Files.writeString(folder.resolve("config.json"), json));
    }

    @Test
    void shouldTakeDefaultsAndListenOnLoopback() throws IOException {
        StoreConfig config = config("{" + keys + "}");
        assertThat(config.service().listen().getAddress().isLoopbackAddress()).isTrue();
        assertThat(config.service().metrics().getAddress().isLoopbackAddress()).isTrue();
        assertThat(config.settings().fsync()).isTrue();
        assertThat(config.service().limits().lockWait().toMillis()).isEqualTo(3_000);
        assertThat(config.service().limits().transactionLimit().toMillis()).isEqualTo(5_000);
        assertThat(config("{" + keys + ", \"fsync\": false, \"lockWaitMillis\": 7}")
                        .service()
                        .limits()
                        .lockWait()
                        .toMillis())
                .isEqualTo(7);
    }

    @Test
    void shouldNameWhatIsWrongInAConfiguration() {
        assertThatThrownBy(() -> config("{" + keys + ", \"fsinc\": false}")).hasMessageContaining("fsinc");
        assertThatThrownBy(() -> config("{\"directory\": \"d\"}")).hasMessageContaining("secretFile");
        assertThatThrownBy(() -> config("{" + keys + ", \"insecure\": true}")).hasMessageContaining("insecure");
        assertThatThrownBy(() -> config("{\"insecure\": true}")).hasMessageContaining("directory");
        assertThatThrownBy(() -> config("{" + keys + ", \"lockWaitMillis\": 6000}"))
                .hasMessageContaining("lock wait");
        assertThatThrownBy(() -> config("{" + keys + ", \"port\": 70000}")).hasMessageContaining("port");
        assertThatThrownBy(() -> config("not json")).hasMessageContaining("config.json");
    }

    @Test
    void shouldTakeWhatIsSaid() throws IOException {
        StoreConfig config = config("{" + keys
                + ", \"fsync\": false, \"cacheBytes\": 2000000, \"memtableBytes\": 300000, \"minFreeBytes\": 4}");
        assertThat(config.settings())
                .isEqualTo(RocksSettings.of(folder.resolve("data"))
                        .withFsync(false)
                        .withCacheBytes(2_000_000)
                        .withMemtableBytes(300_000)
                        .withMinFreeBytes(4));
    }
}
