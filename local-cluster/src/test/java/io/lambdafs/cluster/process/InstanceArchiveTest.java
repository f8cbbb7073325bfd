package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.functions.instance.InstanceJvm;
import io.lambdafs.model.FsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceArchiveTest {
    private static final ClusterSettings SETTINGS = ClusterSettings.defaults("me", new Machine(2, 8_192));
    private static final Path RECORDING = Path.of("/run/recording");
    private static final Path ARCHIVE = Path.of("/lib/archive");

    @TempDir
    private Path folder;

    private static InstanceArchive of(String version) {
        return new InstanceArchive(SETTINGS, new Jdk(Path.of("/jdk"), Runtime.Version.parse(version)));
    }

    @ParameterizedTest
    @CsvSource({
        "17.0.15+6-Debian-1deb12u1, instance-17.0.15+6-Debian-1deb12u1.jsa, -Xshare:dump",
        "24.0.2+12,                 instance-24.0.2+12.jsa,                 -Xshare:dump",
        "25.0.3+9-LTS,              instance-25.0.3+9-LTS.aot,              -XX:AOTMode=create"
    })
    void shouldMakeWhatTheJdkUnderstandsAndNameItByTheWholeVersion(String version, String name, String mode) {
        assertThat(new InstanceJvm(Runtime.Version.parse(version)).archiveName())
                .isEqualTo(name);
        assertThat(of(version).creationCommand(RECORDING, ARCHIVE)).contains("/jdk/bin/java", mode);
    }

    @Test
    void shouldRecordForTheStepThatFollows() {
        assertThat(of("17.0.15").recordingCommand("/run/recording")).contains("-XX:DumpLoadedClassList=/run/recording");
        assertThat(of("17.0.15").creationCommand(RECORDING, ARCHIVE))
                .contains("-XX:SharedClassListFile=/run/recording", "-XX:SharedArchiveFile=/lib/archive");
        assertThat(of("25").recordingCommand("/run/recording"))
                .contains("-XX:AOTMode=record", "-XX:AOTConfiguration=/run/recording");
        assertThat(of("25").creationCommand(RECORDING, ARCHIVE))
                .contains("-XX:AOTConfiguration=/run/recording", "-XX:AOTCache=/lib/archive");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStartWhereTheArchiveIsMissingOrIsNone(boolean garbage) throws Exception {
        Path archive = folder.resolve("archive");
        if (garbage) {
            Files.writeString(archive, "something else".repeat(1_000));
        }
        List<String> command = new ArrayList<>(List.of(Jdk.own().java().toString()));
        command.addAll(new InstanceJvm(Jdk.own().version()).use(archive));
        command.add("--version");
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).as(said).isZero();
        assertThat(said).contains("Runtime Environment");
    }

    @Test
    void shouldSayThatTheSettingNamesNoJdk() {
        ObjectNode keys = Json.object();
        keys.putObject("instance").put("jdk", folder.toString());
        ClusterSettings wrong =
                SettingsFile.over(SETTINGS).with(keys, "options").settings();
        assertThatThrownBy(() -> InstanceArchive.of(wrong))
                .isInstanceOf(FsException.class)
                .hasMessageContainingAll("instance.jdk", folder.toString(), "is no JDK");
    }

    @Test
    void shouldRunInstancesByTheJdkOfTheSetting() {
        ObjectNode keys = Json.object();
        String home = System.getProperty("java.home");
        keys.putObject("instance").put("jdk", home);
        ClusterSettings named =
                SettingsFile.over(SETTINGS).with(keys, "options").settings();
        assertThat(InstanceArchive.of(named).instanceCommand().get(0))
                .isEqualTo(Path.of(home, "bin", "java").toString());
        assertThat(InstanceArchive.of(SETTINGS).instanceCommand().get(0)).isEqualTo("{java}");
    }

    @ParameterizedTest
    @CsvSource({"0, false", "0.15, true", "1, false"})
    void shouldLeaveOutTheSecondCompilerWhereProcessorTimeIsShort(double share, boolean left) {
        ObjectNode keys = Json.object();
        keys.putObject("instance").put("cpuShare", share);
        ClusterSettings rationed =
                SettingsFile.over(SETTINGS).with(keys, "options").settings();
        assertThat(InstanceArchive.of(rationed).instanceCommand().contains("-XX:TieredStopAtLevel=1"))
                .isEqualTo(left);
    }
}
