package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaCommandTest {
    private static final String ALL =
            "/l/cli-0.1.jar:/l/hadoop-3.jar:/l/io-2.16.jar:/l/epoll-native-4.jar:/l/function-0.1.jar";

    @TempDir
    private Path folder;

    private Path function(String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!classPath.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        }
        Path jar = folder.resolve("function-0.1.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    @Test
    void shouldLeaveOutWhatTheFunctionDoesNotNeedWhateverTheVersions() throws IOException {
        assertThat(JavaCommand.functionClassPath(ALL, function("io-2.17.jar epoll-native-4.jar"), Set.of("cli")))
                .isEqualTo("/l/epoll-native-4.jar:/l/cli-0.1.jar:/l/io-2.16.jar:/l/function-0.1.jar");
    }

    @ParameterizedTest
    @CsvSource({"both, false", "first, true"})
    void shouldLeaveOutTheStoresSecondCompilerWhereToldTo(String compilers, boolean left) {
        ObjectNode keys = Json.object();
        keys.putObject("store").put("compilers", compilers);
        ClusterSettings settings = SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "options")
                .settings();
        assertThat(JavaCommand.service(Service.STORE, settings).contains("-XX:TieredStopAtLevel=1"))
                .isEqualTo(left);
    }

    @Test
    void shouldLeaveOutNothingWhereItIsNotSureWhatIsNeeded() throws IOException {
        assertThat(JavaCommand.functionClassPath(ALL, function("io-2.17.jar other-1.jar"), Set.of("cli")))
                .isEqualTo(ALL);
        assertThat(JavaCommand.functionClassPath(ALL, function(""), Set.of("cli")))
                .isEqualTo(ALL);
    }
}
