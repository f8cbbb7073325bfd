package io.lambdafs.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {
    @TempDir
    private Path directory;

    @Test
    void shouldComeBackFromAFileThatOnlyItsOwnerMayRead() throws Exception {
        ApiKey key = ApiKey.random(new SecureRandom());
        Path file = directory.resolve("key");
        key.writeTo(file);
        key.writeTo(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(ApiKey.fromFile(file).matches(key.authorization())).isTrue();
        assertThat(ApiKey.random(new SecureRandom()).matches(key.authorization()))
                .isFalse();
    }

    @Test
    void shouldRefuseAFileThatOthersMayUse() throws Exception {
        Path file = directory.resolve("key");
        ApiKey.of("user:secret").writeTo(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> ApiKey.fromFile(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "user", ":secret", "user:"})
    void shouldRefuseWhatIsNoKeyWithoutRepeatingIt(String text) {
        assertThatThrownBy(() -> ApiKey.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an API key has the form user:password");
    }

    @Test
    void shouldHideItself() {
        assertThat(ApiKey.of("user:secret")).hasToString("ApiKey[hidden]");
        assertThat(ApiKey.of("user:secret").authorization()).isEqualTo("Basic dXNlcjpzZWNyZXQ=");
    }
}
