package io.lambdafs.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how doctor judges the modes of block stores' directories. */
class BlockChecksTest {
    @TempDir
    private Path folder;

    private final ClusterSettings defaults = ClusterSettings.defaults("me", new Machine(2, 8_192));

    private void mode(String name, String mode) throws IOException {
        Files.createDirectories(folder.resolve(name));
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString(mode));
    }

    private List<String> faults() {
        ClusterDirectory directory = new ClusterDirectory(folder);
        Path place = folder.resolve("place");
        ClusterSettings settings = SettingsFile.over(defaults)
                .with(write("{\"insecure\": true, \"blocks\": {\"place\": \"" + place + "\"}}"))
                .settings();
        return Stream.concat(
                        BlockChecks.look(directory, settings).stream(), FileChecks.look(directory, settings).stream())
                .filter(each -> each.state() == Finding.State.FAULT)
                .filter(each -> !each.check().equals("identity"))
                .map(Finding::line)
                .toList();
    }

    private Path write(String text) {
        try {
            return Files.writeString(folder.resolve("my.json"), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldFindDirectoriesThatOthersMayRead() throws IOException {
        mode("", "rwx------");
        mode("place", "rwxr-xr-x");
        assertThat(faults()).singleElement().asString().contains("rwxr-xr-x", "chmod 700 " + folder.resolve("place"));
        mode("place/blocks", "rwxr-x---");
        assertThat(faults()).hasSize(1);
        mode("place/blocks", "rwx------");
        assertThat(faults()).isEmpty();
        mode("place", "rwx------");
        assertThat(faults()).isEmpty();

        mode("", "rwxr-x---");
        assertThat(faults()).singleElement().asString().contains("chmod 700 " + folder);
    }
}
