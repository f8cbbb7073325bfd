package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLockTest {
    @TempDir
    private Path folder;

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private ClusterDirectory directory;

    @BeforeEach
    void prepare() {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
    }

    @Test
    void shouldSayOnceThatItWaitsAndRunOneAfterTheOther() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Boolean> second = ClusterLock.during(directory, () -> steps.add("first waits"), () -> {
            CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> ClusterLock.during(
                    directory,
                    () -> {
                        steps.add("second waits");
                        waits.countDown();
                    },
                    () -> steps.add("second")));
            try {
                waits.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            steps.add("first");
            return other;
        });
        assertThat(second.get()).isTrue();
        assertThat(steps).containsExactly("second waits", "first", "second");
    }

    @Test
    void shouldBeFreeAgainAfterAFailure() {
        assertThatThrownBy(() -> ClusterLock.during(directory, () -> {}, () -> {
                    throw new IllegalStateException("planted");
                }))
                .hasMessage("planted");
        ClusterLock.ifFree(directory, () -> steps.add("free"));
        assertThat(steps).containsExactly("free");
    }

    @Test
    void shouldDoNothingWhereItIsNotFree() {
        ClusterLock.during(directory, () -> {}, () -> {
            ClusterLock.ifFree(directory, () -> steps.add("free"));
            return true;
        });
        assertThat(steps).isEmpty();
    }

    @Test
    void shouldSayThatItCannotBeTaken() throws Exception {
        Path lock = Files.createDirectory(directory.run().resolve("lock"));
        assertThatThrownBy(() -> ClusterLock.during(directory, () -> {}, () -> true))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("cannot lock " + lock);
    }

    @Test
    void shouldEndAWaitThatIsInterrupted() {
        ClusterLock.during(directory, () -> {}, () -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> ClusterLock.during(directory, () -> steps.add("waits"), () -> steps.add("ran")))
                    .hasMessageContaining("interrupted while waiting for");
            return true;
        });
        assertThat(Thread.interrupted()).as("still to be noticed").isTrue();
        assertThat(steps).containsExactly("waits");
    }
}
