package io.lambdafs.datanode.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreContract;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void shouldServeWhatAnotherDatanodeWroteIntoTheSameDirectory() {
        String key = ObjectKey.of(1, 1, 1);
        put(key, bytes(1_000, 1));
        BlockStore other = LocalBlockStore.open(folder, "dn-2");

        assertThat(other.length(key)).hasValue(1_000);
        assertThat(other.space().capacityBytes()).isPositive();
    }
}
