package io.lambdafs.door.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsDoorConfigTest {
    @TempDir
    private Path folder;

    private HdfsDoorConfig load(String text) throws IOException {
        return HdfsDoorConfig.load(Files.writeString(folder.resolve("door.json"), text));
    }

    @Test
    void shouldListenOnThisMachineUnlessTold() throws IOException {
        HdfsDoorConfig config = load("{\"cluster\": \"/c\", \"authentication\": \"simple\"}");

        assertThat(config.listen().isLoopbackAddress()).isTrue();
        assertThat(config.port()).isZero();
        assertThat(config.portFile()).isEmpty();
    }

    @Test
    void shouldRefuseToListenElsewhereWithoutAProofOfIdentity() {
        assertThatThrownBy(() ->
                        load("{\"cluster\": \"/c\", \"authentication\": \"simple\", \"listenAddress\": \"0.0.0.0\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("believes whoever connects");
    }

    @Test
    void shouldWantTheAuthenticationNamed() {
        assertThatThrownBy(() -> load("{\"cluster\": \"/c\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("authentication must be simple");
    }

    @Test
    void shouldRefuseUnknownKeysAndPorts() {
        assertThatThrownBy(() -> load("{\"cluster\": \"/c\", \"authentication\": \"simple\", \"prot\": 1}"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> load("{\"cluster\": \"/c\", \"authentication\": \"simple\", \"port\": 65536}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0..65535");
    }
}
