package io.lambdafs.store.sql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.sql.SqlSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of the SQL store's server. */
class SqlStoreConfigTest {
    private static final String URL = "jdbc:postgresql://db:5432/metadata";
    private static final String KEYS =
            "\"jdbcUrl\": \"" + URL + "\", \"user\": \"ann\", \"cluster\": \"c\", \"insecure\": true";

    @TempDir
    private Path folder;

    private SqlStoreConfig config(String keys) throws IOException {
        return SqlStoreConfig.load(Files.writeString(folder.resolve("config.json"), "{" + keys + "}"));
    }

    @Test
    void shouldTakeDefaults() throws IOException {
        SqlStoreConfig config = config(KEYS);
        assertThat(config.settings()).isEqualTo(new SqlSettings(URL, "ann", Optional.empty(), "c", 8));
        assertThat(config.service().standby()).isFalse();
    }

    @Test
    void shouldTakeWhatIsSaid() throws IOException {
        SqlStoreConfig config = config(KEYS + ", \"passwordFile\": \"p\", \"readers\": 3, \"standby\": true");
        assertThat(config.settings()).isEqualTo(new SqlSettings(URL, "ann", Optional.of(Path.of("p")), "c", 3));
        assertThat(config.service().standby()).isTrue();
    }

    @Test
    void shouldNameWhatIsWrong() {
        for (String missing : new String[] {"jdbcUrl", "user", "cluster"}) {
            assertThatThrownBy(() -> config(KEYS.replace("\"" + missing + "\"", "\"passwordFile\"")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("config.json", missing + " is missing");
        }
        assertThatThrownBy(() -> config(KEYS.replace("\"ann\"", "\"\""))).hasMessageContaining("user is missing");
        assertThatThrownBy(() -> config(KEYS + ", \"usr\": \"x\"")).hasMessageContaining("usr");
        assertThatThrownBy(() -> config(KEYS.replace("postgresql", "mysql"))).hasMessageContaining("jdbc:postgresql:");
        for (int readers : new int[] {-1, 0, 65}) {
            assertThatThrownBy(() -> config(KEYS + ", \"readers\": " + readers))
                    .hasMessageContaining("readers is 1..64, not " + readers);
        }
    }

    @Test
    void shouldTakeOneToSixtyFourReaders() throws IOException {
        assertThat(config(KEYS + ", \"readers\": 1").settings().readers()).isEqualTo(1);
        assertThat(config(KEYS + ", \"readers\": 64").settings().readers()).isEqualTo(64);
    }
}
