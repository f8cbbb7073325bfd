package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.testkit.RamDisk;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Fills the disk of the store. What would grow is refused as {@code STORE_FULL} until there is room again. */
final class FullDiskHit implements Hit {
    private static final int LIMIT_SECONDS = 60;

    private final RamDisk disk;
    private final long freeBytes;
    private final BlockingLambdaFs prober;
    private final History history;
    private final FsPath probe = FsPath.of("/probe-" + System.nanoTime());
    private int before;

    /** @param freeBytes what is left free, 0 for not a byte */
    FullDiskHit(RamDisk disk, long freeBytes, BlockingLambdaFs prober, History history) {
        this.disk = disk;
        this.freeBytes = freeBytes;
        this.prober = prober;
        this.history = history;
    }

    @Override
    public void begin() throws Exception {
        before = history.refused();
        history.storeIsFull(System.nanoTime() + TimeUnit.DAYS.toNanos(1));
        disk.fill(freeBytes);
        assertThat(isRefused()).as("a file is refused while the disk is full").isTrue();
    }

    private boolean isRefused() throws InterruptedException {
        try {
            prober.create(probe, new byte[10], CreateOptions.DEFAULT);
            return false;
        } catch (FsException e) {
            assertThat(e.code()).as("%s", e).isEqualTo(ErrorCode.STORE_FULL);
            return true;
        }
    }

    @Override
    public boolean end() throws Exception {
        assertThat(history.refused()).as("writes of the load that were refused").isGreaterThan(before);
        disk.empty();
        Awaitility.await("it takes writes again by itself")
                .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
                .until(() -> !isRefused());
        history.storeIsFull(System.nanoTime());
        return true;
    }

    @Override
    public void cleanUp() throws Exception {
        disk.empty();
    }

    @Override
    public String toString() {
        return "full_disk, free " + freeBytes;
    }
}
