package io.lambdafs.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.platform.local.instance.Criu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotChecksTest {
    /** No program is found there. */
    private static final Map<String, String> NOWHERE = Map.of("PATH", "/nonexistent");

    @TempDir
    private Path jdk;

    private ClusterSettings settings(boolean snapshots) {
        ObjectNode keys = Json.object();
        keys.putObject("instance").put("snapshots", snapshots).put("jdk", jdk.toString());
        return SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
    }

    private String told(boolean snapshots) {
        return SnapshotChecks.look(settings(snapshots), NOWHERE).toString();
    }

    @Test
    void shouldSayWhyNoImageIsRestored() throws Exception {
        Assumptions.assumeTrue(Criu.find(NOWHERE).engine().isEmpty(), "CRIU is installed beside the path");
        assertThat(told(true))
                .contains("instances start from the class archive", "they are not restored from an image")
                .contains("CRIU", "the JDK in " + jdk + " has no CRaC");
        Files.createDirectories(jdk.resolve("lib"));
        Files.createFile(jdk.resolve("lib/criuengine"));
        assertThat(told(true)).contains("the CRaC of the JDK in " + jdk + " is not used");
        assertThat(told(false))
                .contains("instances start from the class archive")
                .doesNotContain("CRaC", "CRIU");
    }
}
