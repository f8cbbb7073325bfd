package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class FreeSpaceTest {
    private static final long MIN = 1_000;

    /** A file system with so many bytes free; negative where it does not say. */
    private long free;

    private final FileStore files = new FileStore() {
        @Override
        public long getUsableSpace() throws IOException {
            if (free < 0) {
                throw new IOException("says the test");
            }
            return free;
        }

        @Override
        public String name() {
            return "disk";
        }

        @Override
        public String type() {
            return "test";
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public long getTotalSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public long getUnallocatedSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
            return false;
        }

        @Override
        public boolean supportsFileAttributeView(String name) {
            return false;
        }

        @Override
        public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
            return null;
        }

        @Override
        public Object getAttribute(String attribute) {
            throw new UnsupportedOperationException(attribute);
        }
    };

    private boolean isShort(long bytesFree, long minFreeBytes) {
        free = bytesFree;
        return new FreeSpace(Path.of("."), files, minFreeBytes).isShort();
    }

    @Test
    void shouldBeShortBelowTheReserve() {
        assertThat(isShort(MIN - 1, MIN)).isTrue();
        assertThat(isShort(0, MIN)).isTrue();
        assertThat(isShort(MIN, MIN)).isFalse();
    }

    @Test
    void shouldNotBeShortWithoutAReserveOrWhereNobodyKnows() {
        assertThat(isShort(0, 0)).isFalse();
        assertThat(isShort(-1, MIN)).isFalse();
    }

    @Test
    void shouldHaveRoomAgain() {
        FreeSpace space = new FreeSpace(Path.of("."), files, MIN);
        free = 5;
        assertThat(space.isShort()).isTrue();
        free = MIN;
        assertThat(space.isShort()).isFalse();
        free = 5;
        assertThat(space.isShort()).isTrue();
    }
}
