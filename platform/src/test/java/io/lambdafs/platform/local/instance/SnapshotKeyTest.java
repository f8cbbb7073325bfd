package io.lambdafs.platform.local.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotKeyTest {
    @TempDir
    private Path folder;

    @Test
    void shouldChangeWithAllThatAnImageDependsOn() throws Exception {
        Path jar = Files.writeString(folder.resolve("a.jar"), "one");
        Path classes = Files.createDirectories(folder.resolve("classes/p"));
        Path archive = Files.writeString(folder.resolve("archive"), "one");
        List<String> command =
                List.of("java", "-XX:AOTCache=" + archive, "-cp", jar + ":" + folder.resolve("classes"), "Main");
        Set<String> keys = new HashSet<>();
        String first = SnapshotKey.of("CRIU 4.2", command, "a processor");
        assertThat(SnapshotKey.of("CRIU 4.2", command, "a processor")).isEqualTo(first);
        keys.add(first);
        assertThat(keys.add(SnapshotKey.of("CRIU 4.3", command, "a processor"))).isTrue();
        assertThat(keys.add(SnapshotKey.of("CRIU 4.2", command, "another"))).isTrue();
        assertThat(keys.add(SnapshotKey.of(
                        "CRIU 4.2", List.of("java", "-Xmx64m", "-cp", jar.toString(), "Main"), "a processor")))
                .isTrue();
        Files.writeString(jar, "longer");
        assertThat(keys.add(SnapshotKey.of("CRIU 4.2", command, "a processor"))).isTrue();
        Files.setLastModifiedTime(archive, FileTime.fromMillis(1_000));
        assertThat(keys.add(SnapshotKey.of("CRIU 4.2", command, "a processor"))).isTrue();
        Files.writeString(classes.resolve("New.class"), "class");
        assertThat(keys.add(SnapshotKey.of("CRIU 4.2", command, "a processor"))).isTrue();
    }

    @Test
    void shouldChangeWithWhatAProcessIsGivenAtItsStartAndKeeps() throws Exception {
        String machine = SnapshotKey.machine(Map.of("TZ", "UTC", "LANG", "C"));
        assertThat(SnapshotKey.machine(Map.of("LANG", "C", "TZ", "UTC"))).isEqualTo(machine);
        assertThat(SnapshotKey.machine(Map.of("LANG", "C", "TZ", "CET"))).isNotEqualTo(machine);
        assertThat(machine).contains(Files.readString(Path.of("/proc/self/limits")));
    }
}
