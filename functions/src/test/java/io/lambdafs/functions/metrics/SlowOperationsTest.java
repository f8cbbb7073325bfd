package io.lambdafs.functions.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.serving.SlowOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.ReadOperation;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SlowOperationsTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final SlowOperations slowest = new SlowOperations(clock::get);

    private void took(int millis) {
        slowest.offer(new ReadOperation.Stat(FsPath.of("/f" + millis)), TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void shouldKeepTheSlowestFirstAndLeaveOutWhatIsFast() {
        slowest.offer(new ReadOperation.Stat(FsPath.of("/fast")), 900_000);
        for (int millis = 1; millis <= 100; millis++) {
            took(millis);
        }
        assertThat(slowest.list())
                .hasSize(SlowOperations.KEPT)
                .extracting(SlowOperation::path)
                .startsWith(FsPath.of("/f100"), FsPath.of("/f99"));
        // What is not among them does not get in again.
        took(50);
        assertThat(slowest.list()).extracting(SlowOperation::path).doesNotContain(FsPath.of("/f50"));
    }

    @Test
    void shouldForgetAfterTenMinutesAndThenTakeShorterOnes() {
        for (int millis = 101; millis <= 140; millis++) {
            took(millis);
        }
        clock.addAndGet(TimeUnit.MINUTES.toMillis(10) + 1);
        assertThat(slowest.list()).isEmpty();
        took(2);
        assertThat(slowest.list()).singleElement().satisfies(slow -> {
            assertThat(slow.path()).isEqualTo(FsPath.of("/f2"));
            assertThat(slow.millis()).isEqualTo(clock.get());
        });
    }
}
