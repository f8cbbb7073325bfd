package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdkTest {
    @TempDir
    private Path home;

    private void release(String lines) throws IOException {
        Files.writeString(home.resolve("release"), lines);
    }

    private void program() throws IOException {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "17.0.15+6-Debian-1deb12u1, 17, false",
        "25.0.3+9-LTS,              25, true",
        "23,                        23, true",
        "21.0.1,                    21, false"
    })
    void shouldKnowItsVersion(String version, int feature, boolean warns) throws IOException {
        release("IMPLEMENTOR=\"X\"\nJAVA_RUNTIME_VERSION=\"" + version + "\"\nJAVA_VERSION=\"1\"\n");
        program();
        Jdk jdk = Jdk.at(home);
        assertThat(jdk.version()).hasToString(version);
        assertThat(jdk.version().feature()).isEqualTo(feature);
        assertThat(jdk.warnsOfUnsafe()).isEqualTo(warns);
        assertThat(jdk.java()).isEqualTo(home.resolve("bin/java"));
    }

    @Test
    void shouldMakeDoWithTheShortVersion() throws IOException {
        release("JAVA_VERSION=\"17.0.1\"\n");
        program();
        assertThat(Jdk.at(home).version()).hasToString("17.0.1");
    }

    @Test
    void shouldSayWhatIsWrongWithADirectory() throws IOException {
        assertRefused("is no JDK: it has no readable file \"release\"");
        release("IMPLEMENTOR=\"X\"\n");
        assertRefused("does not say of which version");
        release("JAVA_VERSION=\"17.0.1\"\n");
        assertRefused("no program bin/java");
        program();
        release("JAVA_VERSION=\"11.0.2\"\n");
        assertRefused("is Java 11: 17 or newer is needed");
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> Jdk.at(home))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContainingAll(home.toString(), why);
    }

    @Test
    void shouldKnowTheOneThatRunsThis() {
        assertThat(Jdk.own().version().feature()).isEqualTo(Runtime.version().feature());
    }
}
