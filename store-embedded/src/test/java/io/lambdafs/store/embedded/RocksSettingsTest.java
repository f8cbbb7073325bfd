package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The settings of a store, when its disk counts as full, and what is told where it does not open. */
class RocksSettingsTest {
    private static final Path DIRECTORY = Path.of("/d");

    @TempDir
    private Path folder;

    @Test
    void shouldTakeTheSmallestThatCanBe() {
        RocksSettings smallest = new RocksSettings(DIRECTORY, false, 1 << 20, 64 << 10, 0, 1);
        assertThat(smallest.fsync()).isFalse();
        RocksSettings usual = RocksSettings.of(DIRECTORY);
        assertThat(usual.readThreads()).isBetween(2, 4);
        assertThat(usual)
                .isEqualTo(new RocksSettings(DIRECTORY, true, 64 << 20, 32 << 20, 128 << 20, usual.readThreads()));
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatThrownBy(() -> new RocksSettings(DIRECTORY, true, (1 << 20) - 1, 64 << 10, 0, 1))
                .hasMessageContaining("cacheBytes 1048575");
        assertThatThrownBy(() -> new RocksSettings(DIRECTORY, true, 1 << 20, (64 << 10) - 1, 0, 1))
                .hasMessageContaining("memtableBytes 65535");
        assertThatThrownBy(() -> new RocksSettings(DIRECTORY, true, 1 << 20, 64 << 10, -1, 1))
                .hasMessageContaining("minFreeBytes -1");
        assertThatThrownBy(() -> new RocksSettings(DIRECTORY, true, 1 << 20, 64 << 10, 0, 0))
                .hasMessageContaining("readThreads 0");
    }

    @Test
    void shouldChangeOneAndKeepTheOthers() {
        RocksSettings base = new RocksSettings(DIRECTORY, true, 2 << 20, 128 << 10, 3, 4);
        assertThat(base.withFsync(false)).isEqualTo(new RocksSettings(DIRECTORY, false, 2 << 20, 128 << 10, 3, 4));
        assertThat(base.withCacheBytes(5 << 20))
                .isEqualTo(new RocksSettings(DIRECTORY, true, 5 << 20, 128 << 10, 3, 4));
        assertThat(base.withMemtableBytes(1 << 20))
                .isEqualTo(new RocksSettings(DIRECTORY, true, 2 << 20, 1 << 20, 3, 4));
        assertThat(base.withMinFreeBytes(9)).isEqualTo(new RocksSettings(DIRECTORY, true, 2 << 20, 128 << 10, 9, 4));
    }

    @Test
    void shouldBeShortOfSpaceWhereLessIsFreeThanIsToBe() throws Exception {
        assertThat(new FreeSpace(folder, 0).isShort()).isFalse();
        assertThat(new FreeSpace(folder, 1).isShort()).isFalse();
        FreeSpace never = new FreeSpace(folder, Long.MAX_VALUE);
        assertThat(never.isShort()).isTrue();
        assertThat(never.isShort()).isTrue();
        assertThat(never.minFreeBytes()).isEqualTo(Long.MAX_VALUE);
    }

    private static ErrorCode unopened(RocksDBException e) {
        return Recovery.unopened(DIRECTORY, e).code();
    }

    private static RocksDBException failure(Status.Code code, String text) {
        return new RocksDBException(text, new Status(code, Status.SubCode.None, text));
    }

    @Test
    void shouldTellWhyAStoreDoesNotOpen() {
        assertThat(unopened(failure(Status.Code.Corruption, "bad"))).isEqualTo(ErrorCode.INTERNAL);
        assertThat(unopened(failure(Status.Code.InvalidArgument, "bad"))).isEqualTo(ErrorCode.INTERNAL);
        assertThat(unopened(failure(Status.Code.IOError, "Corruption: bad"))).isEqualTo(ErrorCode.INTERNAL);
        assertThat(unopened(failure(Status.Code.IOError, "No such file"))).isEqualTo(ErrorCode.INTERNAL);
        assertThat(unopened(failure(Status.Code.IOError, "No space left on device")))
                .isEqualTo(ErrorCode.STORE_FULL);
        assertThat(unopened(failure(Status.Code.IOError, "lock held"))).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(unopened(new RocksDBException("no status"))).isEqualTo(ErrorCode.UNAVAILABLE);
    }
}
