package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.Seal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockSourceTest {
    private static final String KEY = ObjectKey.of(1, 1, 1);

    @TempDir
    Path folder;

    private final MemoryBlockStore objects = new MemoryBlockStore();
    private final List<Long> reads = new ArrayList<>();
    private final BlockSource source = new BlockSource(counted(objects));

    private BlockStore counted(BlockStore store) {
        return new ForwardingBlockStore(store) {
            @Override
            public int read(String key, long offset, byte[] into, int at, int length) {
                reads.add(offset);
                return super.read(key, offset, into, at, length);
            }
        };
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Block write(BlockStore store, String key, byte[] content) {
        try (BlockSink sink = new BlockSink(new Block(1, 1, content.length, 0), store.upload(key))) {
            sink.add(content);
            return sink.finish(content.length, Seal.crc(content, 0, content.length));
        }
    }

    private static byte[] object(BlockStore store, Block block) {
        byte[] all = new byte[(int) block.length() + Seal.size(block.length())];
        assertThat(store.read(KEY, 0, all, 0, all.length)).isEqualTo(all.length);
        return all;
    }

    private void replace(byte[] object) {
        objects.delete(KEY);
        try (BlockStore.Upload upload = objects.upload(KEY)) {
            upload.write(object, 0, object.length);
            upload.commit();
        }
    }

    private static void assertFails(ErrorCode code, String why, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(why);
    }

    @Test
    void shouldReadRangesWithinTheBlockOnly() {
        byte[] content = bytes(3 * Seal.GRANULE + 5);
        Block block = write(objects, KEY, content);
        int[] edges = {0, 1, Seal.GRANULE - 1, Seal.GRANULE, 2 * Seal.GRANULE + 1, 3 * Seal.GRANULE, content.length};
        for (int from : edges) {
            for (int to : edges) {
                if (from < to) {
                    assertThat(source.read(KEY, block, from, to - from))
                            .isEqualTo(Arrays.copyOfRange(content, from, to));
                } else {
                    assertFails(
                            ErrorCode.INVALID_ARGUMENT, "not within", () -> source.read(KEY, block, from, to - from));
                }
            }
        }
        assertFails(ErrorCode.INVALID_ARGUMENT, "not within", () -> source.read(KEY, block, -1, 1));
        assertFails(ErrorCode.INVALID_ARGUMENT, "not within", () -> source.read(KEY, block, 1, content.length));
        Block huge = new Block(1, 1, Seal.MAX_LENGTH + 1, 0);
        assertFails(ErrorCode.INVALID_ARGUMENT, "not within", () -> source.read(KEY, huge, 0, 1));
        Block largest = new Block(1, 1, Seal.MAX_LENGTH, 0);
        assertFails(ErrorCode.BLOCK_CORRUPT, "cut short", () -> source.read(KEY, largest, 0, 1));
    }

    @Test
    void shouldReadTheSealOfABlockOnce() {
        Block block = write(objects, KEY, bytes(10));
        source.read(KEY, block, 0, 10);
        source.read(KEY, block, 3, 4);
        assertThat(reads).containsExactly(10L, 0L, 0L);
        assertFails(
                ErrorCode.BLOCK_CORRUPT,
                "another block's",
                () -> source.read(KEY, new Block(1, 2, 10, block.crc32c()), 0, 10));
    }

    @Test
    void shouldKeepTheSealsThatWereUsedLast() {
        int most = 1_024;
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i <= most; i++) {
            blocks.add(write(objects, ObjectKey.of(1, 1, i), bytes(10)));
        }
        for (int i = 0; i < most; i++) {
            source.read(ObjectKey.of(1, 1, i), blocks.get(i), 0, 10);
        }
        reads.clear();
        source.read(ObjectKey.of(1, 1, 0), blocks.get(0), 0, 10);
        source.read(ObjectKey.of(1, 1, most), blocks.get(most), 0, 10);
        source.read(ObjectKey.of(1, 1, 0), blocks.get(0), 0, 10);
        assertThat(reads).containsExactly(0L, 10L, 0L, 0L);

        reads.clear();
        source.read(ObjectKey.of(1, 1, 1), blocks.get(1), 0, 10);
        assertThat(reads).as("the one not used for longest is read again").containsExactly(10L, 0L);
    }

    @Test
    void shouldSayInWhatWayAnObjectIsDamagedWhereThereIsNoCopy() {
        Block block = write(objects, KEY, bytes(Seal.GRANULE + 10));
        byte[] whole = object(objects, block);
        byte[] changed = whole.clone();
        changed[Seal.GRANULE + 9] ^= 1;
        replace(changed);
        assertFails(
                ErrorCode.BLOCK_CORRUPT, "not those that were written", () -> source.read(KEY, block, Seal.GRANULE, 1));
        assertThat(reads).as("once").hasSize(2);
        assertThat(source.read(KEY, block, 0, 5)).hasSize(5);

        replace(Arrays.copyOf(whole, Seal.GRANULE));
        assertFails(
                ErrorCode.BLOCK_CORRUPT,
                "ends after " + Seal.GRANULE + " bytes",
                () -> source.read(KEY, block, Seal.GRANULE, 10));
        replace(Arrays.copyOf(whole, whole.length - 1));
        assertFails(ErrorCode.BLOCK_CORRUPT, "cut short", () -> new BlockSource(objects).read(KEY, block, 0, 1));
        changed = whole.clone();
        changed[whole.length - 1] ^= 1;
        replace(changed);
        assertFails(ErrorCode.BLOCK_CORRUPT, "seal is damaged", () -> new BlockSource(objects).read(KEY, block, 0, 1));
    }

    @Test
    void shouldReadAnewOnceWhereADamagedCopyIsDropped() {
        Block block = write(objects, KEY, bytes(10));
        byte[] whole = object(objects, block);
        byte[] changed = whole.clone();
        changed[3] ^= 1;
        replace(changed);
        int[] copies = {2};
        BlockSource copied = new BlockSource(new ForwardingBlockStore(objects) {
            @Override
            public boolean dropCopy(String key) {
                if (--copies[0] == 0) {
                    replace(whole);
                }
                return true;
            }
        });

        assertFails(ErrorCode.BLOCK_CORRUPT, "not those", () -> copied.read(KEY, block, 0, 10));
        assertThat(copied.read(KEY, block, 0, 10)).isEqualTo(bytes(10));
    }

    /** A directory whose slices a test looks at. */
    private static class Slices extends ForwardingBlockStore {
        private final BlockStore directory;
        private final List<FileSlice> opened = new ArrayList<>();

        Slices(BlockStore directory) {
            super(directory);
            this.directory = directory;
        }

        @Override
        public @Nullable FileSlice slice(String key, long offset, int length) {
            FileSlice slice = directory.slice(key, offset, length);
            if (slice != null) {
                opened.add(slice);
            }
            return slice;
        }
    }

    @Test
    void shouldOpenWholeGranulesOfAFileWithTheirChecksums() {
        try (LocalBlockStore directory = LocalBlockStore.open(folder, "dn-1")) {
            byte[] content = bytes(2 * Seal.GRANULE + 5);
            Block block = write(directory, KEY, content);
            Slices slices = new Slices(directory);
            BlockSource files = new BlockSource(slices);

            BlockPieces pieces =
                    Objects.requireNonNull(files.pieces(KEY, block, Seal.GRANULE, content.length - Seal.GRANULE));

            assertThat(pieces.offset()).isEqualTo(Seal.GRANULE);
            assertThat(pieces.checksums())
                    .containsExactly(
                            Seal.crc(content, Seal.GRANULE, Seal.GRANULE), Seal.crc(content, 2 * Seal.GRANULE, 5));
            assertThat(slices.opened.get(0).channel().isOpen()).isTrue();
            slices.opened.get(0).close();
            assertThat(files.pieces(KEY, block, 1, Seal.GRANULE)).isNull();
            assertThat(files.pieces(ObjectKey.of(9, 1, 1), block, 0, Seal.GRANULE))
                    .isNull();
            assertThat(slices.opened).hasSize(1);
            assertFails(
                    ErrorCode.INVALID_ARGUMENT, "not within", () -> files.pieces(KEY, block, 0, content.length + 1));
        }
    }

    @Test
    void shouldCloseAFileThatItDoesNotSend() {
        try (LocalBlockStore directory = LocalBlockStore.open(folder, "dn-1")) {
            Block block = write(directory, KEY, bytes(10));
            boolean[] isLost = {false};
            Slices slices = new Slices(directory) {
                @Override
                public int read(String key, long offset, byte[] into, int at, int length) {
                    if (isLost[0]) {
                        throw FsException.unavailable("not reached");
                    }
                    return super.read(key, offset, into, at, length);
                }
            };

            assertThat(new BlockSource(slices).pieces(KEY, new Block(1, 2, 10, 0), 0, 10))
                    .as("reading it tells the reason")
                    .isNull();
            isLost[0] = true;
            assertFails(ErrorCode.UNAVAILABLE, "not reached", () -> new BlockSource(slices).pieces(KEY, block, 0, 10));

            assertThat(slices.opened)
                    .hasSize(2)
                    .noneMatch(slice -> slice.channel().isOpen());
        }
    }
}
