package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockStoreCheckTest {
    @Test
    void shouldTakeAnEmptyStoreOnceAndLeaveNothingButItsMark() {
        MemoryBlockStore store = new MemoryBlockStore();

        BlockStoreCheck.check(store, "a-cluster");
        BlockStoreCheck.check(store, "a-cluster");

        assertThat(store.list("", "", 10))
                .extracting(BlockStore.StoredObject::key)
                .containsExactly(BlockStoreCheck.MARKER);
    }

    @Test
    void shouldRefuseTheStoreOfAnotherCluster(@TempDir Path folder) {
        BlockStoreCheck.check(LocalBlockStore.open(folder, "dn-1"), "a-cluster");

        assertThatThrownBy(() -> BlockStoreCheck.check(LocalBlockStore.open(folder, "dn-2"), "another"))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContainingAll(folder.toString(), "belongs to the cluster a-cluster", "another");
    }
}
