package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.process.ClusterLock;
import io.lambdafs.cluster.process.ServiceProcess;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatanodeWatchTest {
    private static final Service ONE = Service.datanode(1);

    @TempDir
    private Path folder;

    private final List<Service> started = new ArrayList<>();
    private Duration now = Duration.ZERO;
    private ClusterDirectory directory;
    private DatanodeWatch watch;
    private Process process;

    @BeforeEach
    void startAProcess() throws Exception {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        watch = new DatanodeWatch(directory, started::addAll, () -> now.toNanos());
        process = new ProcessBuilder("/bin/sh", "-c", "exec sleep 300").start();
        Files.writeString(
                directory.pid(ONE.label()),
                process.pid() + " " + process.toHandle().info().startInstant().orElseThrow());
    }

    @AfterEach
    void end() throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Test
    void shouldStartOneThatHasEndedAndNotTooOften() throws Exception {
        watch.look();
        assertThat(started).isEmpty();

        end();
        watch.look();
        watch.look();
        assertThat(started).containsExactly(ONE);

        now = DatanodeWatch.BETWEEN_STARTS;
        watch.look();
        assertThat(started).containsExactly(ONE, ONE);
    }

    @Test
    void shouldNotStartOneThatWasStopped() throws Exception {
        end();
        new ServiceProcess(directory, ONE).forget();
        watch.look();
        assertThat(started).isEmpty();
    }

    @Test
    void shouldNotStartOneWhileACommandChangesTheCluster() throws Exception {
        end();
        ClusterLock.during(directory, () -> {}, () -> {
            watch.look();
            return true;
        });
        assertThat(started).isEmpty();

        watch.look();
        assertThat(started).containsExactly(ONE);
    }

    /** As when the disk is full, or the process has no file descriptor left. */
    @Test
    void shouldGoOnWhereTheClusterCannotBeLocked() throws Exception {
        end();
        Path lock = directory.run().resolve("lock");
        Files.deleteIfExists(lock);
        Files.createDirectory(lock);
        watch.look();
        assertThat(started).isEmpty();

        Files.delete(lock);
        watch.look();
        assertThat(started).containsExactly(ONE);
    }

    @Test
    void shouldGoOnWhereOneCannotBeStarted() throws Exception {
        end();
        DatanodeWatch failing = new DatanodeWatch(directory, each -> {
            throw new IllegalStateException("planted");
        });
        failing.look();
        failing.look();
    }
}
