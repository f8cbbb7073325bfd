package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.process.ServiceProcess;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.testkit.RamDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster's disk without a free byte is told as that. Needs the right to mount a file system; skipped elsewhere. */
@Tag("slow")
class FullDiskTest {
    private static final ClusterSettings SETTINGS = ClusterSettings.defaults("me", new Machine(2, 8_192));

    @TempDir
    private Path folder;

    private RamDisk disk;
    private ClusterDirectory directory;

    @BeforeEach
    void mount() throws Exception {
        disk = RamDisk.mountOrSkip(folder, 8);
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        new ServiceFiles(directory, SETTINGS).writeSettings();
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk != null) {
            disk.close();
        }
    }

    private static void assertFull(ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.STORE_FULL))
                .hasMessageContaining("disk is full; free some space there");
    }

    @Test
    void shouldNameTheDiskAndNotMissingRights() throws IOException {
        disk.fill(0);
        assertFull(() -> new ServiceFiles(directory, SETTINGS).write(Service.STORE, 0));
        assertFull(() -> new ServiceProcess(directory, Service.STORE).start(SETTINGS));
    }

    @Test
    void shouldNameTheServicesThatDoNotAnswerAndTheDisk() throws IOException {
        LocalCluster cluster = new LocalCluster(directory, Console.ofProcess());
        assertThat(ClusterStatus.trouble(cluster)).as("nothing was started").isEmpty();
        for (Service service : List.of(Service.ZOOKEEPER, Service.GATEWAY)) {
            Files.writeString(directory.pid(service.label()), "the note of a process that has gone\n");
        }
        assertThat(ClusterStatus.trouble(cluster))
                .hasValueSatisfying(why -> assertThat(why.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        disk.fill(0);
        assertFull(() -> {
            throw ClusterStatus.trouble(cluster).orElseThrow();
        });
        assertThat(ClusterStatus.trouble(cluster).orElseThrow())
                .hasMessageStartingWith("zookeeper and gateway of the cluster in " + directory);
        assertThat(new ClusterStatus(cluster).text()).contains("is full");
        disk.empty();
        assertThat(directory.isDiskFull()).isFalse();
    }
}
