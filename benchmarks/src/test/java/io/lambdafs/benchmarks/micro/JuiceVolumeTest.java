package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class JuiceVolumeTest {
    @TempDir
    private Path folder;

    /** Asks Redis, and returns the last of so many lines that it answers. */
    private static String asked(int port, String command, int lines) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = "";
            for (int each = 0; each < lines; each++) {
                line = in.readLine();
            }
            return line;
        }
    }

    @Test
    void shouldMakeAVolumeWithARootInARedisThatForcesItsLog() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/redis-server")),
                "needs Redis: apt-get install --no-install-recommends redis-server");
        try (JuiceVolume volume = new JuiceVolume(folder)) {
            volume.start(Console.ofProcess());
            int port = URI.create(volume.configuration().get("juicefs.meta")).getPort();
            JsonNode setting = new ObjectMapper().readTree(asked(port, "GET setting", 2));
            assertThat(setting.path("Name").asText())
                    .isEqualTo(JuiceVolume.uri().getAuthority());
            assertThat(Path.of(setting.path("Bucket").asText())).isDirectory();
            assertThat(asked(port, "STRLEN i1", 1)).isEqualTo(":72");
            assertThat(asked(port, "CONFIG GET appendfsync", 5)).isEqualTo("everysec");
            assertThat(volume.servers().now()).hasSize(1);
        }
    }
}
