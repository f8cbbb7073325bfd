package io.lambdafs.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.block.Seal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedBlockStoreTest extends BlockStoreContract {
    private static final long LIMIT = 1 << 20;

    @TempDir
    Path folder;

    private final MemoryBlockStore remote = new MemoryBlockStore();
    private CachedBlockStore store;

    @BeforeEach
    void open() {
        store = CachedBlockStore.of(remote, folder, LIMIT);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected BlockStore store() {
        return store;
    }

    private static String key(int number) {
        return ObjectKey.of(number, 1, 1);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private long bytesOnDisk() throws IOException {
        long sum = 0;
        for (Path file : files()) {
            sum += Files.size(file);
        }
        return sum;
    }

    @Test
    void shouldAnswerFromTheCopyOfWhatWasWritten() {
        put(key(1), bytes(100_000, 1));
        remote.delete(key(1));

        assertThat(get(key(1), 50_000, 10_000)).hasSize(10_000);
        assertThat(store.hits()).isEqualTo(1);
        assertThat(store.misses()).isZero();
    }

    @Test
    void shouldCopyWhatIsReadTwice() throws IOException {
        byte[] content = bytes(300_000, 1);
        try (BlockStore.Upload upload = remote.upload(key(1))) {
            upload.write(content, 0, content.length);
            upload.commit();
        }
        get(key(1), 0, 10);
        assertThat(files()).isEmpty();
        get(key(1), 100, 10);
        await().until(() -> store.usedBytes() == content.length && bytesOnDisk() == content.length);
        await().untilAsserted(() -> {
            long before = store.hits();
            assertThat(get(key(1), 0, content.length)).isEqualTo(content);
            assertThat(store.hits()).isEqualTo(before + 1);
        });
    }

    private void putRemote(String key) {
        try (BlockStore.Upload upload = remote.upload(key)) {
            upload.write(bytes(10, 1), 0, 10);
            upload.commit();
        }
    }

    @Test
    void shouldRememberSoManyThatWereReadOnce() {
        int most = 4_096;
        for (int i = 0; i <= most; i++) {
            putRemote(key(i));
        }
        for (int i = 0; i <= most; i++) {
            get(key(i), 0, 1);
        }
        get(key(0), 0, 1);
        assertThat(store.misses()).isEqualTo(most + 2);
        get(key(2), 0, 1);
        await().until(() -> isCopied(key(2)));
        assertThat(isCopied(key(0))).as("it was forgotten").isFalse();
    }

    private boolean isCopied(String key) {
        return Files.exists(folder.resolve(key.replace('/', '+')));
    }

    private static Set<Thread> copying() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("block-cache"))
                .collect(Collectors.toSet());
    }

    @Test
    void shouldEndItsThreadsAndCloseWhatIsBehindIt() {
        AtomicInteger closed = new AtomicInteger();
        Set<Thread> before = copying();
        putRemote(key(1));
        store = CachedBlockStore.of(
                new ForwardingBlockStore(remote) {
                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                },
                folder,
                LIMIT);
        get(key(1), 0, 1);
        get(key(1), 0, 1);
        await().until(() -> isCopied(key(1)));
        Set<Thread> own = copying();
        own.removeAll(before);
        assertThat(own).isNotEmpty();

        store.close();

        assertThat(closed).hasValue(1);
        await().until(() -> own.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void shouldTellWhetherItHadACopyToDrop() {
        put(key(1), bytes(10, 1));
        assertThat(store.dropCopy(key(2))).isFalse();
        assertThat(store.dropCopy(key(1))).isTrue();
        assertThat(store.dropCopy(key(1))).isFalse();
        assertThat(get(key(1), 0, 10)).isEqualTo(bytes(10, 1));

        put(key(3), bytes(10, 1));
        assertThat(store.delete(key(3))).isTrue();
        assertThat(isCopied(key(3))).isFalse();
    }

    @Test
    void shouldSendFromACopyAndCountIt() {
        put(key(1), bytes(10, 1));
        putRemote(key(2));

        Objects.requireNonNull(store.slice(key(1), 2, 8)).close();
        assertThat(store.slice(key(2), 0, 1)).isNull();

        assertThat(store.hits()).isEqualTo(1);
        assertThat(store.place()).isEqualTo("memory");
    }

    /** Copies that wait for their turn hold no read up. */
    @Test
    void shouldNotWaitForACopyThatHasNotBegun() throws IOException {
        put(key(1), bytes(100, 1));
        BlockCache cache = BlockCache.open(folder.resolve("other"), LIMIT);
        Fetch queued = new Fetch(remote, key(1), cache.draft(key(1)), () -> {});
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        Thread reader = new Thread(() -> answer.complete(queued.read(0, new byte[10], 0, 10)));
        reader.start();
        await().until(() -> answer.isDone() || reader.getState() == Thread.State.TIMED_WAITING);

        assertThat(answer).isCompletedWithValue(-1);
        queued.run();
        assertThat(cache.contains(key(1))).isTrue();
    }

    @Test
    void shouldKeepToItsLimitAndDropWhatWasNotUsedForLongest() throws IOException {
        for (int i = 0; i < 5; i++) {
            put(key(i), bytes(200_000, i));
        }
        get(key(0), 0, 1);
        put(key(5), bytes(200_000, 5));

        assertThat(bytesOnDisk()).isEqualTo(1_000_000).isEqualTo(store.usedBytes());
        remote.delete(key(0));
        assertThat(get(key(0), 0, 200_000)).isEqualTo(bytes(200_000, 0));
        long misses = store.misses();
        assertThat(get(key(1), 0, 200_000)).isEqualTo(bytes(200_000, 1));
        assertThat(store.misses()).isEqualTo(misses + 1);
    }

    @Test
    void shouldNotCopyWhatDoesNotFit() throws IOException {
        byte[] content = bytes((int) LIMIT + 1, 1);
        put(key(1), content);

        assertThat(files()).isEmpty();
        assertThat(store.usedBytes()).isZero();
        get(key(1), 0, 1);
        get(key(1), 0, 1);
        await().untilAsserted(() -> assertThat(files()).isEmpty());
        assertThat(get(key(1), 0, content.length)).isEqualTo(content);
    }

    @Test
    void shouldSurviveARestartWithTheOrderOfUseAndDropDrafts() throws IOException {
        put(key(1), bytes(400_000, 1));
        put(key(2), bytes(400_000, 2));
        Files.setLastModifiedTime(folder.resolve(key(1).replace('/', '+')), FileTime.fromMillis(2_000));
        Files.setLastModifiedTime(folder.resolve(key(2).replace('/', '+')), FileTime.fromMillis(1_000));
        Files.write(folder.resolve("7.draft"), bytes(10, 1));

        store = CachedBlockStore.of(remote, folder, LIMIT);
        assertThat(store.usedBytes()).isEqualTo(800_000);
        put(key(3), bytes(400_000, 3));

        get(key(1), 0, 1);
        assertThat(store.misses()).isZero();
        get(key(2), 0, 1);
        assertThat(store.misses()).isEqualTo(1);
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldShrinkToASmallerLimit() throws IOException {
        put(key(1), bytes(400_000, 1));
        put(key(2), bytes(400_000, 2));

        store = CachedBlockStore.of(remote, folder, 500_000);

        assertThat(bytesOnDisk()).isEqualTo(400_000);
    }

    @Test
    void shouldBeClosedToOthers() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        open();
        put(key(1), bytes(10, 1));
        try (BlockStore.Upload upload = store.upload(key(2))) {
            upload.write(bytes(10, 1), 0, 10);
            assertThat(files())
                    .hasSize(2)
                    .allSatisfy(each -> assertThat(PrivateFolder.openTo(each)).isEmpty());
        }
        assertThat(PrivateFolder.openTo(folder)).isEmpty();
    }

    /** Only what is in the store may be read, and what is written may turn out to be another's. */
    @Test
    void shouldKeepNoCopyBeforeItsObjectIsThere() throws IOException {
        byte[] content = bytes(10, 1);
        for (boolean isRefused : new boolean[] {true, false}) {
            List<Boolean> copied = new ArrayList<>();
            store = CachedBlockStore.of(
                    new ForwardingBlockStore(remote) {
                        @Override
                        public Upload upload(String key) {
                            return new Refusing(super.upload(key), () -> copied.add(isCopied()), isRefused);
                        }
                    },
                    folder,
                    LIMIT);
            try (BlockStore.Upload upload = store.upload(key(1))) {
                upload.write(content, 0, content.length);
                if (isRefused) {
                    assertThatThrownBy(upload::commit).isInstanceOf(FsException.class);
                } else {
                    upload.commit();
                }
            }
            assertThat(copied).containsExactly(false);
            assertThat(isCopied()).isEqualTo(!isRefused);
        }
    }

    private boolean isCopied() {
        return Files.exists(folder.resolve(key(1).replace('/', '+')));
    }

    /** Looks at its commit, and may refuse it. */
    private record Refusing(BlockStore.Upload behind, Runnable look, boolean isRefused) implements BlockStore.Upload {
        @Override
        public void write(byte[] bytes, int offset, int length) {
            behind.write(bytes, offset, length);
        }

        @Override
        public void commit() {
            look.run();
            if (isRefused) {
                throw new FsException(ErrorCode.ALREADY_EXISTS, "another's");
            }
            behind.commit();
        }

        @Override
        public void close() {
            behind.close();
        }
    }

    @Test
    void shouldDropADamagedCopyAndReadTheObject() throws IOException {
        byte[] content = bytes(200_000, 1);
        Block block;
        try (BlockSink sink = new BlockSink(new Block(1, 1, 1 << 20, 0), store.upload(key(1)))) {
            sink.add(content);
            block = sink.finish(content.length, Seal.crc(content, 0, content.length));
        }
        Path copy = files().get(0);
        byte[] damaged = Files.readAllBytes(copy);
        damaged[150_000] ^= 1;
        Files.write(copy, damaged);

        assertThat(new BlockSource(store).read(key(1), block, 0, content.length))
                .isEqualTo(content);

        assertThat(files()).isEmpty();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void shouldDropACopyThatWasCutShort() throws IOException {
        byte[] content = bytes(200_000, 1);
        Block block;
        try (BlockSink sink = new BlockSink(new Block(1, 1, 1 << 20, 0), store.upload(key(1)))) {
            sink.add(content);
            block = sink.finish(content.length, Seal.crc(content, 0, content.length));
        }
        Path copy = files().get(0);
        Files.write(copy, Arrays.copyOf(Files.readAllBytes(copy), 1_000));

        assertThat(new BlockSource(store).read(key(1), block, 0, content.length))
                .isEqualTo(content);
    }
}
