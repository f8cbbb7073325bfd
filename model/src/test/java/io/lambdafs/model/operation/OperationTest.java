package io.lambdafs.model.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationTest {
    private static final OpenFile FILE = new OpenFile(1, 2);
    private static final FsPath PATH = FsPath.of("/d/f");
    private static final Set<OperationKind> LISTINGS = Set.of(OperationKind.LIST_PAGE, OperationKind.LIST_EACH);
    private static final byte[] NOTHING = {};

    private static void assertRefused(ErrorCode code, ThrowingCallable made) {
        assertThatThrownBy(made)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static FileOperation.Create create(int replication, long blockSize, byte[] content) {
        return new FileOperation.Create(PATH, 0644, false, false, replication, blockSize, content, null);
    }

    @Test
    void shouldRefuseWhatIsOutOfRange() {
        for (int mode : new int[] {-1, 02000, Integer.MAX_VALUE}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new NamespaceOperation.Mkdirs(PATH, mode, true));
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new AttributeOperation.SetPermission(PATH, mode));
            assertRefused(
                    ErrorCode.INVALID_ARGUMENT,
                    () -> new FileOperation.Create(PATH, mode, true, true, 1, 1, NOTHING, null));
        }
        for (int replication : new int[] {0, -1, 513}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new AttributeOperation.SetReplication(PATH, replication));
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> create(replication, 1, NOTHING));
        }
        for (int limit : new int[] {0, -1, Operation.MAX_PAGE + 1}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new ReadOperation.ListPage(PATH, "", limit));
        }
        for (int wanted : new int[] {-1, 8}) {
            assertRefused(ErrorCode.INVALID_ARGUMENT, () -> new ReadOperation.Access(PATH, wanted));
        }
        assertRefused(ErrorCode.INVALID_ARGUMENT, () -> create(1, 0, NOTHING));
        assertRefused(
                ErrorCode.INVALID_ARGUMENT, () -> new FileOperation.Create(PATH, 0, true, true, 1, 1, null, null));
    }

    @Test
    void shouldRefuseToMakeReservedNames() {
        for (String reserved :
                new String[] {"/.snapshot", "/a/.snapshot", "/a/.snapshot/b", "/.reserved", "/.reserved/b"}) {
            FsPath path = FsPath.of(reserved);
            assertRefused(ErrorCode.INVALID_PATH, () -> new NamespaceOperation.Mkdirs(path, 0755, true));
            assertRefused(
                    ErrorCode.INVALID_PATH,
                    () -> new FileOperation.Create(path, 0644, true, true, 1, 1, NOTHING, null));
            assertRefused(
                    ErrorCode.INVALID_PATH, () -> new NamespaceOperation.Rename(PATH, path, Operation.RenameMode.INTO));
            assertThat(new ReadOperation.Stat(path).path()).isEqualTo(path);
            assertThat(new NamespaceOperation.Rename(path, PATH, Operation.RenameMode.INTO).path())
                    .isEqualTo(path);
            assertThat(new NamespaceOperation.Delete(path, true).path()).isEqualTo(path);
        }
        assertThat(new NamespaceOperation.Mkdirs(FsPath.of("/a/.reserved/.snapshots"), 0755, true).createParents())
                .isTrue();
    }

    @Test
    void shouldTakeContentUpToWhatFitsARequest() {
        byte[] longest = new byte[Operation.MAX_INLINE_BYTES];
        byte[] longer = new byte[Operation.MAX_INLINE_BYTES + 1];

        assertThat(create(1, 1, longest).content()).isSameAs(longest);
        assertThat(new FileOperation.Complete(PATH, new OpenFile(1, 2), longest).content())
                .isSameAs(longest);
        assertRefused(ErrorCode.NEEDS_DATANODE, () -> create(1, 1, longer));
        assertRefused(ErrorCode.NEEDS_DATANODE, () -> new FileOperation.Complete(PATH, new OpenFile(1, 2), longer));
    }

    /** Returns the reply type in the declaration of an operation. */
    private static @Nullable Type declaredReply(Class<?> type) {
        for (Type parent : type.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType family) {
                return family.getActualTypeArguments()[0];
            }
            Type found = parent instanceof Class<?> raw ? declaredReply(raw) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Test
    void shouldFindEveryKindByItsNumberAndNoOther() {
        for (OperationKind kind : OperationKind.values()) {
            assertThat(kindsOf(kind.number())).containsExactly(kind);
        }
        for (int number : new int[] {-1, 0, 108, 127, 255, 256}) {
            assertThat(kindsOf(number)).isEmpty();
        }
    }

    private static List<OperationKind> kindsOf(int number) {
        return Arrays.stream(OperationKind.values())
                .filter(kind -> kind.number() == number)
                .toList();
    }

    @Test
    void shouldKnowWhichOperationsWrite() {
        Map<Operation<?>, Boolean> writes = Map.ofEntries(
                Map.entry(new ReadOperation.Stat(PATH), false),
                Map.entry(new ReadOperation.ListPage(PATH, "", 1), false),
                Map.entry(new ReadOperation.Open(PATH), false),
                Map.entry(new ReadOperation.Access(PATH, 7), false),
                Map.entry(new NamespaceOperation.Mkdirs(PATH, 0, true), true),
                Map.entry(create(1, 1, NOTHING), true),
                Map.entry(new FileOperation.Complete(PATH, FILE, new byte[0]), true),
                Map.entry(new BlockOperation.AddBlock(PATH, FILE, 0, 0, null), true),
                Map.entry(new BlockOperation.CompleteBlocks(PATH, FILE, 1, 1, null), true),
                Map.entry(new BlockOperation.RenewLease(PATH, FILE, 1), true),
                Map.entry(new BlockOperation.Abandon(PATH, FILE, 1), true),
                Map.entry(new BlockOperation.TakeLease(PATH, false), true),
                Map.entry(new BlockOperation.RecoverLease(PATH, FILE), true),
                Map.entry(new ReadOperation.GetXattrs(PATH, true), false),
                Map.entry(new AttributeOperation.SetXattr(PATH, "user.a", new byte[0], true, true), true),
                Map.entry(new AttributeOperation.RemoveXattr(PATH, "user.a"), true),
                Map.entry(new ReadOperation.GetSafeMode(PATH), false),
                Map.entry(new AttributeOperation.SetSafeMode(PATH, true), true),
                Map.entry(new ReadOperation.GetStoragePolicy(PATH), false),
                Map.entry(new ReadOperation.ListDamaged(PATH, ""), false),
                Map.entry(new ReadOperation.GetTotals(PATH), false),
                Map.entry(new ReadOperation.DiffSnapshots(PATH, "a", "", ""), false),
                Map.entry(new AttributeOperation.SetQuota(PATH, 1, 2), true),
                Map.entry(
                        new AttributeOperation.ChangeSnapshots(
                                PATH, AttributeOperation.ChangeSnapshots.Action.CREATE, "s", ""),
                        true),
                Map.entry(new AttributeOperation.SetStoragePolicy(PATH, "COLD"), true),
                Map.entry(new ReadOperation.GetAcl(PATH), false),
                Map.entry(new AttributeOperation.ChangeAcl(PATH, AclChange.SET, List.of()), true),
                Map.entry(new BlockOperation.Truncate(PATH, 0), true),
                Map.entry(new BlockOperation.Concat(PATH, List.of(PATH.parent().child("other"))), true),
                Map.entry(new NamespaceOperation.Delete(PATH, false), true),
                Map.entry(new ReadOperation.ListEach(List.of(PATH), 9), false),
                Map.entry(new BulkDelete(new RequestId(1, 2, 1, 1), List.of(PATH)), true),
                Map.entry(new NamespaceOperation.Rename(PATH, PATH, Operation.RenameMode.INTO), true),
                Map.entry(new AttributeOperation.SetPermission(PATH, 0), true),
                Map.entry(new AttributeOperation.SetOwner(PATH, null, null), true),
                Map.entry(new AttributeOperation.SetTimes(PATH, 0, 0), true),
                Map.entry(new AttributeOperation.SetReplication(PATH, 1), true));

        assertThat(writes.keySet().stream().map(Operation::kind)).containsExactlyInAnyOrder(OperationKind.values());
        writes.forEach((operation, write) -> {
            assertThat(operation.isWrite()).as("%s", operation).isEqualTo(write);
            assertThat(operation.kind().isWrite()).as("%s", operation).isEqualTo(write);
            assertThat(operation.kind().type()).isEqualTo(operation.getClass());
            assertThat(operation.path()).isEqualTo(PATH);
            assertThat((Object) operation.replyType()).isEqualTo(declaredReply(operation.getClass()));
            assertThat(operation.routingDirectory())
                    .isEqualTo(LISTINGS.contains(operation.kind()) ? PATH : PATH.parent());
        });
    }

    @ParameterizedTest
    @CsvSource({"user.a, 16383, true", "user.a, 16384, false", "user.\u00e4, 16382, true", "user.\u00e4, 16383, false"})
    void shouldCountTheBytesOfAnAttributeAsHdfsDoes(String name, int size, boolean fits) {
        ThrowingCallable set = () -> new AttributeOperation.SetXattr(PATH, name, new byte[size], true, true);
        if (fits) {
            assertThatCode(set).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(set).hasMessageContaining("16384");
        }
    }
}
