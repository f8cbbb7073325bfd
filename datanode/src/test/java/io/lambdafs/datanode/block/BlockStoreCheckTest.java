package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    private static void mark(BlockStore store, String cluster) {
        byte[] bytes = cluster.getBytes(StandardCharsets.UTF_8);
        try (BlockStore.Upload upload = store.upload(BlockStoreCheck.MARKER)) {
            upload.write(bytes, 0, bytes.length);
            upload.commit();
        }
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call, String... why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(why);
    }

    /** Two clusters find a store empty at the same moment: one of them has it. */
    @Test
    void shouldSeeWhoWasFasterToTakeAStore() {
        for (String faster : List.of("a-cluster", "another")) {
            MemoryBlockStore behind = new MemoryBlockStore();
            boolean[] isFirst = {true};
            BlockStore store = new ForwardingBlockStore(behind) {
                @Override
                public Upload upload(String key) {
                    if (isFirst[0]) {
                        isFirst[0] = false;
                        mark(behind, faster + "\n");
                    }
                    return super.upload(key);
                }
            };
            if (faster.equals("another")) {
                assertFails(
                        ErrorCode.INVALID_ARGUMENT,
                        () -> BlockStoreCheck.check(store, "a-cluster"),
                        "belongs to the cluster another");
            } else {
                BlockStoreCheck.check(store, "a-cluster");
            }
        }
    }

    @Test
    void shouldChangeNothingWhereItDemandsTheOwner() {
        MemoryBlockStore store = new MemoryBlockStore();
        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                () -> BlockStoreCheck.demandOwner(store, "a-cluster"),
                "belongs to no cluster");
        assertThat(store.list("", "", 10)).isEmpty();

        mark(store, "a-cluster");
        BlockStoreCheck.demandOwner(store, "a-cluster");
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> BlockStoreCheck.demandOwner(store, "b"), "the cluster a-cluster");
    }

    /** A store with one fault, at the probe or at the mark. */
    private static final class Faulty extends ForwardingBlockStore {
        private final String fault;

        Faulty(String fault) {
            super(new MemoryBlockStore());
            this.fault = fault;
        }

        private void fail(String at) {
            if (fault.equals(at)) {
                throw new FsException(ErrorCode.PERMISSION_DENIED, "not allowed");
            }
        }

        @Override
        public Upload upload(String key) {
            fail("upload " + key.charAt(0));
            return super.upload(key);
        }

        @Override
        public int read(String key, long offset, byte[] into, int at, int length) {
            fail("read " + key.charAt(0));
            int count = super.read(key, offset, into, at, length);
            if (fault.equals("change")) {
                into[at] ^= 1;
            }
            return fault.equals("cut") ? count - 1 : count;
        }

        @Override
        public boolean delete(String key) {
            fail("delete");
            return fault.equals("keep") || super.delete(key);
        }
    }

    @Test
    void shouldSayWhichStepFailed() {
        for (String each : List.of("upload l", "upload p")) {
            assertFaulty(each, ErrorCode.PERMISSION_DENIED, "cannot be written to: not allowed");
        }
        for (String each : List.of("read l", "read p")) {
            assertFaulty(each, ErrorCode.PERMISSION_DENIED, "cannot be read: not allowed");
        }
        assertFaulty("delete", ErrorCode.PERMISSION_DENIED, "cannot be deleted in: not allowed");
        assertFaulty("keep", ErrorCode.UNAVAILABLE, "is still there");
        assertFaulty("change", ErrorCode.BLOCK_CORRUPT, "came back with other bytes");
        assertFaulty("cut", ErrorCode.BLOCK_CORRUPT, "came back with other bytes");
    }

    private static void assertFaulty(String fault, ErrorCode code, String why) {
        assertFails(
                code,
                () -> BlockStoreCheck.check(new Faulty(fault), "a-cluster"),
                "the block store in memory cannot be",
                why);
    }
}
