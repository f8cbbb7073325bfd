package io.lambdafs.cluster.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.cluster.terminal.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretsTest {
    @TempDir
    private Path folder;

    private ClusterDirectory directory;

    @BeforeEach
    void prepare() {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
    }

    private static ClusterSettings with(Map<String, Object> keys) {
        return SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(Json.MAPPER.valueToTree(keys), "test")
                .settings();
    }

    @Test
    void shouldMakeTheSecretAndKeysOnce() throws Exception {
        ClusterSecrets.ensure(directory, with(Map.of()));
        String secret = Files.readString(directory.secret());
        String key = Files.readString(directory.apiKey());
        assertThat(Files.readString(directory.managementKey())).isNotEqualTo(key);
        assertThat(directory.databasePassword()).doesNotExist();

        ClusterSecrets.ensure(directory, with(Map.of()));
        assertThat(Files.readString(directory.secret())).isEqualTo(secret);
        assertThat(Files.readString(directory.apiKey())).isEqualTo(key);
    }

    @Test
    void shouldMakeNoSecretOfAnInsecureCluster() {
        ClusterSecrets.ensure(directory, with(Map.of("insecure", true)));
        assertThat(directory.secret()).doesNotExist();
        assertThat(directory.apiKey()).exists();
    }

    @Test
    void shouldMakeThePasswordOfItsOwnDatabaseOnce() throws Exception {
        ClusterSettings postgres = with(Map.of("store", Map.of("engine", "postgres")));
        ClusterSecrets.ensure(directory, postgres);
        String password = Files.readString(directory.databasePassword());
        ClusterSecrets.ensure(directory, postgres);
        assertThat(Files.readString(directory.databasePassword())).isEqualTo(password);
    }

    @Test
    void shouldNotGiveDataAnotherSecret() throws Exception {
        Path data = Files.createDirectories(directory.data("store"));
        Files.writeString(data.resolve("CURRENT"), "");
        assertThatThrownBy(() -> ClusterSecrets.ensure(directory, with(Map.of())))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContainingAll(
                        "has data and no secret", directory.secret().toString());
        assertThat(directory.secret()).doesNotExist();
    }

    @Test
    void shouldMakeCertificatesWhereTlsIsOnAndNoOthersAreSet() {
        ClusterSecrets.ensureCertificates(directory, with(Map.of()));
        assertThat(directory.tls()).doesNotExist();
        ClusterSecrets.ensureCertificates(
                directory, with(Map.of("tls", Map.of("enabled", true, "ca", "/ca", "certificate", "/c", "key", "/k"))));
        assertThat(directory.tls()).doesNotExist();
        ClusterSecrets.ensureCertificates(directory, with(Map.of("tls", Map.of("enabled", true))));
        assertThat(directory.tls().resolve("gateway.pem")).exists();
    }
}
