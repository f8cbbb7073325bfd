package io.lambdafs.datanode.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBlockStoreTest extends BlockStoreContract {
    @TempDir
    Path folder;

    private BlockStore store;

    @BeforeEach
    void open() {
        store = LocalBlockStore.open(folder, "dn-1");
    }

    @Override
    protected BlockStore store() {
        return store;
    }

    private long uploads(String owner) throws IOException {
        try (Stream<Path> drafts = Files.list(folder.resolve("uploads").resolve(owner))) {
            return drafts.count();
        }
    }

    @Test
    void shouldKeepObjectsWhenItIsOpenedAgain() {
        String key = ObjectKey.of(1, 1, 1);
        put(key, bytes(1_000, 1));

        open();

        assertThat(get(key, 0, 1_000)).isEqualTo(bytes(1_000, 1));
    }

    @Test
    void shouldLeaveNoDraftBehind() throws IOException {
        put(ObjectKey.of(1, 1, 1), bytes(1_000, 1));
        store.upload(ObjectKey.of(1, 1, 2)).close();

        assertThat(uploads("dn-1")).isZero();
    }

    @Test
    void shouldRemoveDraftsOfItsOwnThatACrashLeftAndNoOthers() throws IOException {
        Files.writeString(folder.resolve("uploads/dn-1/77"), "left");
        LocalBlockStore.open(folder, "dn-2");
        Files.writeString(folder.resolve("uploads/dn-2/78"), "being written");

        open();

        assertThat(uploads("dn-1")).isZero();
        assertThat(uploads("dn-2")).isEqualTo(1);
    }

    @Test
    void shouldRefuseADirectoryThatCannotBeHad() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertFails(ErrorCode.UNAVAILABLE, file.toString(), () -> LocalBlockStore.open(file, "dn-1"));
    }

    private static List<String> open(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<String> open = new ArrayList<>();
            for (Path file : files.toList()) {
                if (PrivateFolder.openTo(file).isPresent()) {
                    open.add(root.relativize(file).toString());
                }
            }
            return open;
        }
    }

    @Test
    void shouldBeClosedToOthers() throws IOException {
        Path fresh = folder.resolve("fresh");
        store = LocalBlockStore.open(fresh, "dn-1");
        BlockStoreCheck.check(store, "a-cluster");
        put(ObjectKey.of(1, 1, 1), bytes(1_000, 1));
        BlockStore.Upload upload = store.upload(ObjectKey.of(1, 1, 2));
        assertThat(open(fresh)).isEmpty();
        upload.close();

        for (String each : List.of("", "blocks", "uploads", "uploads/dn-1")) {
            Files.setPosixFilePermissions(fresh.resolve(each), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        LocalBlockStore.open(fresh, "dn-1");
        assertThat(open(fresh)).isEmpty();
    }

    @Test
    void shouldLeaveTheModeOfADirectoryThatHasOtherThingsToo() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.writeString(shared.resolve("another's"), "x");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        store = LocalBlockStore.open(shared, "dn-1");
        put(ObjectKey.of(1, 1, 1), bytes(1_000, 1));

        assertThat(open(shared)).containsExactlyInAnyOrder("", "another's");
    }

    @Test
    void shouldListWhatIsThereWhileOthersWriteAndDelete() throws Exception {
        for (int i = 0; i < 200; i++) {
            put("blocks/00/kept-" + i, bytes(1, 1));
        }
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            for (int i = 0; !over.get(); i++) {
                put("blocks/00/going-" + i, bytes(1, 1));
                store.delete("blocks/00/going-" + i);
            }
        });
        try {
            for (int i = 0; i < 300; i++) {
                assertThat(store.list("blocks/00/kept-", "", 1_000)).hasSize(200);
                assertThat(store.list("", "", 1_000)).hasSizeBetween(200, 201);
                assertThat(store.unfinished("", "", 1_000)).hasSizeBetween(0, 1);
            }
        } finally {
            over.set(true);
            others.get();
        }
    }

    /** Those of others cannot be entered, which would show. */
    @Test
    void shouldLookIntoTheFoldersOfItsPageAlone() throws IOException {
        put("blocks/01/a", bytes(1, 1));
        put("blocks/02-3/a", bytes(1, 1));
        put("blocks/02/a", bytes(1, 1));
        put("blocks/02/b", bytes(1, 1));
        put("blocks/03/a", bytes(1, 1));
        assertThat(keys("", ""))
                .containsExactly("blocks/01/a", "blocks/02-3/a", "blocks/02/a", "blocks/02/b", "blocks/03/a");
        Files.move(folder.resolve("blocks/01"), folder.resolve("blocks/01-gone"));
        Files.createSymbolicLink(folder.resolve("blocks/01"), folder.resolve("nowhere"));

        assertThat(keys("blocks/02/", "")).containsExactly("blocks/02/a", "blocks/02/b");
        assertThat(keys("blocks/0", "blocks/02/a")).containsExactly("blocks/02/b", "blocks/03/a");
        assertThat(store.list("", "blocks/02-3/a", 1))
                .extracting(BlockStore.StoredObject::key)
                .containsExactly("blocks/02/a");
    }

    private List<String> keys(String prefix, String after) {
        return store.list(prefix, after, 100).stream()
                .map(BlockStore.StoredObject::key)
                .toList();
    }

    @Test
    void shouldServeWhatAnotherDatanodeWroteIntoTheSameDirectory() {
        String key = ObjectKey.of(1, 1, 1);
        put(key, bytes(1_000, 1));
        BlockStore other = LocalBlockStore.open(folder, "dn-2");

        assertThat(other.length(key)).hasValue(1_000);
        assertThat(other.space().capacityBytes()).isPositive();
    }

    @Test
    void shouldOpenARangeOfAnObjectsFileUnlessItIsTooShort() throws IOException {
        String key = ObjectKey.of(1, 1, 1);
        put(key, bytes(1_000, 1));

        try (FileSlice slice = Objects.requireNonNull(store.slice(key, 200, 800))) {
            ByteBuffer read = ByteBuffer.allocate(800);
            assertThat(slice.channel().read(read, slice.position())).isEqualTo(800);
            assertThat(read.array()).isEqualTo(Arrays.copyOfRange(bytes(1_000, 1), 200, 1_000));
        }
        assertThat(store.slice(key, 201, 800)).isNull();
        assertThat(store.slice(ObjectKey.of(2, 1, 1), 0, 1)).isNull();
        assertThat(store.dropCopy(key)).as("there is none to read anew").isFalse();
    }

    private static Set<Thread> syncing() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("block-sync"))
                .collect(Collectors.toSet());
    }

    /** The last sync then has little left to wait for. */
    @Test
    void shouldSyncALargeObjectWhileItIsWritten() {
        Set<Thread> before = syncing();
        byte[] piece = bytes(4 << 20, 1);
        String key = ObjectKey.of(1, 1, 1);
        try (BlockStore.Upload upload = store.upload(key)) {
            for (int i = 0; i < 3; i++) {
                upload.write(piece, 0, piece.length);
            }
            upload.write(piece, 0, piece.length - 1);
            assertThat(before).containsAll(syncing());
            upload.write(piece, piece.length - 1, 1);
            Set<Thread> own = syncing();
            own.removeAll(before);
            assertThat(own).hasSize(1);
            upload.commit();
            assertThat(get(key, 3L * piece.length, piece.length)).isEqualTo(piece);

            store.close();
            await().until(() -> own.stream().noneMatch(Thread::isAlive));
        }
    }

    @Test
    void shouldSayWhatItCouldNotDoAndWhere() throws IOException {
        String key = ObjectKey.of(1, 1, 1);
        put(key, bytes(10, 1));
        String longer = key + "x".repeat(300);
        String above = key.substring(0, key.lastIndexOf('/'));

        assertFails(ErrorCode.UNAVAILABLE, "cannot look at " + longer + " in directory", () -> store.length(longer));
        assertFails(ErrorCode.UNAVAILABLE, "cannot read " + above, () -> get(above, 0, 1));
        assertFails(ErrorCode.UNAVAILABLE, "cannot delete " + above, () -> store.delete(above));
        assertThat(uploads("dn-1")).isZero();
        Files.move(folder.resolve("uploads"), folder.resolve("gone"));
        assertFails(ErrorCode.BLOCK_MISSING, "cannot write " + key, () -> store.upload(key));
        assertFails(ErrorCode.BLOCK_MISSING, "cannot list uploads", () -> store.unfinished("", "", 1));
    }
}
