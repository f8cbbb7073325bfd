package io.lambdafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class OperationTest {
    private static final OpenFile FILE = new OpenFile(1, 2);
    private static final FsPath PATH = FsPath.of("/d/f");
    private static final byte[] NOTHING = {};

    private static void assertRefused(ErrorCode code, ThrowingCallable made) {
        assertThatThrownBy(made)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Operation.Create create(int replication, long blockSize, byte[] content) {
        return new Operation.Create(PATH, 0644, false, false, replication, blockSize, content, null);
    }

    @Test
    void shouldRefuseWhatIsOutOfRange() {
        for (int mode : new int[] {-1, 02000, Integer.MAX_VALUE}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new Operation.Mkdirs(PATH, mode, true));
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new Operation.SetPermission(PATH, mode));
            assertRefused(
                    ErrorCode.INVALID_ARGUMENT,
                    () -> new Operation.Create(PATH, mode, true, true, 1, 1, NOTHING, null));
        }
        for (int replication : new int[] {0, -1, 513}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new Operation.SetReplication(PATH, replication));
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> create(replication, 1, NOTHING));
        }
        for (int limit : new int[] {0, -1, Operation.MAX_PAGE + 1}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new Operation.ListPage(PATH, "", limit));
        }
        for (int wanted : new int[] {-1, 8}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new Operation.Access(PATH, wanted));
        }
        assertRefused(ErrorCode.INVALID_ARGUMENT, () -> create(1, 0, NOTHING));
        assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new Operation.Create(PATH, 0, true, true, 1, 1, null, null));
    }

    @Test
    void shouldRefuseToMakeReservedNames() {
        for (String reserved :
                new String[] {"/.snapshot", "/a/.snapshot", "/a/.snapshot/b", "/.reserved", "/.reserved/b"}) {
            FsPath path = FsPath.of(reserved);
            assertRefused(ErrorCode.INVALID_PATH, () -> new Operation.Mkdirs(path, 0755, true));
            assertRefused(
                    ErrorCode.INVALID_PATH, () -> new Operation.Create(path, 0644, true, true, 1, 1, NOTHING, null));
            assertRefused(ErrorCode.INVALID_PATH, () -> new Operation.Rename(PATH, path, Operation.RenameMode.INTO));
            assertThat(new Operation.Stat(path).path()).isEqualTo(path);
            assertThat(new Operation.Rename(path, PATH, Operation.RenameMode.INTO).path())
                    .isEqualTo(path);
            assertThat(new Operation.Delete(path, true).path()).isEqualTo(path);
        }
        assertThat(new Operation.Mkdirs(FsPath.of("/a/.reserved/.snapshots"), 0755, true).createParents())
                .isTrue();
    }

    @Test
    void shouldTakeContentUpToWhatFitsARequest() {
        byte[] longest = new byte[Operation.MAX_INLINE_BYTES];
        byte[] longer = new byte[Operation.MAX_INLINE_BYTES + 1];

        assertThat(create(1, 1, longest).content()).isSameAs(longest);
        assertThat(new Operation.Complete(PATH, new OpenFile(1, 2), longest).content())
                .isSameAs(longest);
        assertRefused(ErrorCode.NEEDS_DATANODE, () -> create(1, 1, longer));
        assertRefused(ErrorCode.NEEDS_DATANODE, () -> new Operation.Complete(PATH, new OpenFile(1, 2), longer));
    }

    @Test
    void shouldKnowWhichOperationsWrite() {
        Map<Operation<?>, Boolean> writes = Map.ofEntries(
                Map.entry(new Operation.Stat(PATH), false),
                Map.entry(new Operation.ListPage(PATH, "", 1), false),
                Map.entry(new Operation.Open(PATH), false),
                Map.entry(new Operation.Access(PATH, 7), false),
                Map.entry(new Operation.Mkdirs(PATH, 0, true), true),
                Map.entry(create(1, 1, NOTHING), true),
                Map.entry(new Operation.Complete(PATH, FILE, new byte[0]), true),
                Map.entry(new Operation.AddBlock(PATH, FILE, 0, 0, null), true),
                Map.entry(new Operation.CompleteBlocks(PATH, FILE, 1, 1, null), true),
                Map.entry(new Operation.RenewLease(PATH, FILE, 1), true),
                Map.entry(new Operation.Abandon(PATH, FILE, 1), true),
                Map.entry(new Operation.TakeLease(PATH), true),
                Map.entry(new Operation.Delete(PATH, false), true),
                Map.entry(new Operation.Rename(PATH, PATH, Operation.RenameMode.INTO), true),
                Map.entry(new Operation.SetPermission(PATH, 0), true),
                Map.entry(new Operation.SetOwner(PATH, null, null), true),
                Map.entry(new Operation.SetTimes(PATH, 0, 0), true),
                Map.entry(new Operation.SetReplication(PATH, 1), true));

        assertThat(writes).hasSameSizeAs(Operation.class.getPermittedSubclasses());
        writes.forEach((operation, write) -> {
            assertThat(operation.isWrite()).as("%s", operation).isEqualTo(write);
            assertThat(operation.path()).isEqualTo(PATH);
            assertThat(operation.replyType()).isNotEqualTo(Reply.Failure.class);
            assertThat(operation.routingDirectory())
                    .isEqualTo(operation instanceof Operation.ListPage ? PATH : PATH.parent());
        });
    }
}
