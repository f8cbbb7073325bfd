package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the rights of ordinary users, as in HDFS: whatever is cached, rights before state, and without harm to others.
 */
class PermissionsTest {
    private static final Principal U1 = new Principal("u1", List.of("users"));
    private static final Principal U2 = new Principal("u2", List.of("users"));

    private final SimulatedCluster cluster = new SimulatedCluster(5, 1);
    private Instance instance = cluster.start(0);

    private static NamespaceOperation.Mkdirs mkdirs(String path, int mode) {
        return new NamespaceOperation.Mkdirs(FsPath.of(path), mode, true);
    }

    private static FileOperation.Create create(String path, int mode, boolean overwrite) {
        return new FileOperation.Create(FsPath.of(path), mode, overwrite, true, 1, 1 << 20, new byte[] {1}, null);
    }

    private static NamespaceOperation.Rename rename(String from, String to, RenameMode mode) {
        return new NamespaceOperation.Rename(FsPath.of(from), FsPath.of(to), mode);
    }

    private static NamespaceOperation.Delete delete(String path, boolean recursive) {
        return new NamespaceOperation.Delete(FsPath.of(path), recursive);
    }

    private static AttributeOperation.SetPermission chmod(String path, int mode) {
        return new AttributeOperation.SetPermission(FsPath.of(path), mode);
    }

    private static AttributeOperation.ChangeAcl acl(String path, AclChange change, String entries) {
        return new AttributeOperation.ChangeAcl(
                FsPath.of(path), change, entries.isEmpty() ? List.of() : AclEntry.parse(entries));
    }

    private static ReadOperation.Stat stat(String path) {
        return new ReadOperation.Stat(FsPath.of(path));
    }

    private void make(Principal who, Operation<?>... operations) {
        for (Operation<?> operation : operations) {
            assertThat(code(who, operation)).as(operation.toString()).isNull();
        }
    }

    private @Nullable ErrorCode code(Principal who, Operation<?> operation) {
        return instance.call(who, operation) instanceof Reply.Failure failure ? failure.code() : null;
    }

    private void denied(Principal who, Operation<?> operation) {
        assertThat(code(who, operation)).as(operation.toString()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    /** /tmp, and a home for each. */
    private void makeHomes() {
        make(
                SimulatedCluster.ROOT,
                mkdirs("/tmp", 01777),
                mkdirs("/home/u1", 0755),
                mkdirs("/home/u2", 0755),
                new AttributeOperation.SetOwner(FsPath.of("/home/u1"), "u1", "users"),
                new AttributeOperation.SetOwner(FsPath.of("/home/u2"), "u2", "users"));
    }

    /** With nothing cached yet. */
    private void startAnother(long cacheBytes) {
        cluster.leave(instance);
        cluster.cacheBytes = cacheBytes;
        instance = cluster.start(0);
    }

    /** Returns the refusal that U1 gets. */
    private String denial(Operation<?> operation) {
        return ((Reply.Failure) instance.call(U1, operation)).message();
    }

    @Test
    void shouldSayWhoseTheDirectoryIsAndWhatItsModeIs() {
        makeHomes();
        make(SimulatedCluster.ROOT, mkdirs("/shared", 0750), chmod("/shared", 01750));
        assertThat(denial(create("/shared/f", 0644, false)))
                .startsWith("permission denied: user=u1, access=EXECUTE, path=\"/shared\": ")
                .endsWith(":drwxr-x--T");
        make(SimulatedCluster.ROOT, acl("/shared", AclChange.MODIFY, "user:u1:r-x"));
        assertThat(denial(create("/shared/f", 0644, false)))
                .contains("access=WRITE")
                .endsWith(":drwxr-x--T+");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 16 << 20})
    void shouldNotJudgeWhatIsNotCachedAsIfItWereAbsent(long cacheBytes) {
        makeHomes();
        make(U1, create("/home/u1/f", 0644, false));
        List<Operation<?>> allowed = List.of(
                mkdirs("/tmp", 0755),
                mkdirs("/home/u1", 0755),
                new NamespaceOperation.Mkdirs(FsPath.of("/home"), 0755, false),
                mkdirs("/", 0755),
                create("/home/u1/f", 0644, true),
                rename("/home/u1/f", "/tmp", RenameMode.INTO));
        for (Operation<?> operation : allowed) {
            startAnother(cacheBytes);
            assertThat(instance.call(U1, operation)).as(operation.toString()).isNotEqualTo(Reply.Done.NO);
            assertThat(code(U1, operation instanceof NamespaceOperation.Rename ? stat("/tmp/f") : operation))
                    .as(operation.toString())
                    .isNull();
        }
        make(U1, mkdirs("/home/u1/d/x", 0755), chmod("/home/u1/d/x", 0640));
        startAnother(cacheBytes);
        denied(U1, rename("/home/u1/d", "/home/u1/d/x", RenameMode.INTO));
        startAnother(cacheBytes);
        denied(U1, mkdirs("/none", 0755));
        denied(U1, rename("/tmp/f", "/none", RenameMode.INTO));
    }

    @Test
    void shouldLetNobodyOverwriteWhatHeMayNotRemove() {
        makeHomes();
        make(
                U1,
                create("/home/u1/doc", 0664, false),
                create("/tmp/doc", 0666, false),
                mkdirs("/home/u1/open", 0777),
                chmod("/home/u1/open", 0777),
                create("/home/u1/open/doc", 0664, false));
        denied(U2, delete("/home/u1/doc", false));
        denied(U2, create("/home/u1/doc", 0600, true));
        denied(U2, delete("/tmp/doc", false));
        denied(U2, create("/tmp/doc", 0600, true));
        make(U2, create("/home/u1/open/doc", 0600, true));
        make(U1, create("/tmp/doc", 0600, true), create("/home/u1/doc", 0600, true));
    }

    @Test
    void shouldHeedTheStickyBitBelowWhatIsDeleted() {
        makeHomes();
        make(U2, mkdirs("/home/u2/data", 0755));
        make(SimulatedCluster.ROOT, mkdirs("/home/u2/data/shared", 01777));
        make(U1, create("/home/u2/data/shared/f", 0644, false));
        denied(U2, delete("/home/u2/data/shared", true));
        denied(U2, delete("/home/u2/data", true));
        assertThat(code(U1, stat("/home/u2/data/shared/f"))).isNull();
        make(U1, delete("/home/u2/data/shared/f", false));
        make(U2, create("/home/u2/data/shared/mine", 0644, false), delete("/home/u2/data", true));
        cluster.wholeStore();
    }

    @Test
    void shouldLetNobodyEmptyCachesByWhatIsRefused() {
        makeHomes();
        make(U1, mkdirs("/home/u1/d", 0755), create("/home/u1/d/f", 0644, false), mkdirs("/home/u1/e", 0755));
        make(U1, mkdirs("/tmp/d", 0755), stat("/home/u1/d/f"));
        Operation<?> cached = stat("/home/u1/d/f");
        List<Operation<?>> refused = List.of(
                chmod("/", 0777),
                chmod("/home", 0777),
                new AttributeOperation.SetOwner(FsPath.of("/home/u1"), null, "users2"),
                new AttributeOperation.SetTimes(FsPath.ROOT, 1, 1),
                new AttributeOperation.SetTimes(FsPath.of("/home/u1"), 1, 1),
                new AttributeOperation.SetReplication(FsPath.of("/home/u1/d/f"), 2),
                acl("/", AclChange.MODIFY, "user:u2:rwx"),
                acl("/home/u1", AclChange.SET, "user::rwx,group::rwx,other::rwx"),
                acl("/home/u1/d", AclChange.REMOVE, "user:u1:---"),
                acl("/home/u1/d", AclChange.REMOVE_DEFAULT, ""),
                acl("/home/u1/d/f", AclChange.REMOVE_ALL, ""),
                new AttributeOperation.SetXattr(FsPath.of("/home/u1/d"), "user.a", new byte[] {1}, true, true),
                new AttributeOperation.SetXattr(FsPath.of("/home/u1/d/f"), "user.a", new byte[] {1}, true, true),
                new AttributeOperation.RemoveXattr(FsPath.of("/home/u1"), "user.a"),
                new AttributeOperation.SetStoragePolicy(FsPath.of("/home"), "COLD"),
                new AttributeOperation.SetStoragePolicy(FsPath.of("/home/u1/d"), "COLD"),
                new AttributeOperation.SetStoragePolicy(FsPath.of("/home/u1/d/f"), ""),
                delete("/home", true),
                delete("/home/u1/d", true),
                delete("/tmp/d", true),
                delete("/", true),
                rename("/home", "/tmp/home", RenameMode.STRICT),
                rename("/tmp/d", "/home/u2/d", RenameMode.INTO),
                rename("/home/u2", "/tmp", RenameMode.INTO),
                rename("/home/u1/d", "/home/u1/e", RenameMode.OVERWRITE));
        // One that is under way would be waited for.
        for (Operation<?> operation : refused) {
            assertThat(instance.hits(cached)).isTrue();
            denied(U2, operation);
            assertThat(instance.hits(cached)).as(operation.toString()).isTrue();
        }
        // What has no effect does no harm either.
        assertThat(instance.call(U1, rename("/home/u1/d", "/home/u1", RenameMode.INTO)))
                .isEqualTo(Reply.Done.YES);
        assertThat(code(U1, rename("/home/u1/d", "/home/u1/e", RenameMode.STRICT)))
                .isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(instance.hits(cached)).isTrue();
    }

    @Test
    void shouldTellWhatIsBelowAFileAsHdfsDoes() {
        makeHomes();
        make(U1, create("/home/u1/f", 0644, false));
        for (int i = 0; i < 2; i++) {
            for (Operation<?> read : List.of(
                    stat("/home/u1/f/c"),
                    new ReadOperation.Open(FsPath.of("/home/u1/f/c")),
                    new ReadOperation.ListPage(FsPath.of("/home/u1/f/c/d"), "", 10))) {
                assertThat(code(SimulatedCluster.ROOT, read)).isEqualTo(ErrorCode.NOT_FOUND);
                denied(U1, read);
            }
            instance.hits(stat("/home/u1/f"));
        }
        for (Principal who : List.of(SimulatedCluster.ROOT, U1)) {
            denied(who, delete("/home/u1/f/c", true));
            denied(who, chmod("/home/u1/f/c", 0700));
            denied(who, rename("/home/u1/f/c", "/home/u1/c", RenameMode.INTO));
            for (Operation<?> made : List.of(
                    mkdirs("/home/u1/f/c", 0755),
                    create("/home/u1/f/c", 0644, false),
                    rename("/home/u1/f", "/home/u1/f/c", RenameMode.INTO))) {
                assertThat(code(who, made)).isEqualTo(ErrorCode.NOT_A_DIRECTORY);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 16 << 20})
    void shouldRenameDirectoriesAsHdfsDoes(long cacheBytes) {
        makeHomes();
        make(U1, mkdirs("/home/u1/e", 0755), mkdirs("/home/u1/closed", 0600));
        for (int i = 0; i < 2; i++) {
            startAnother(cacheBytes);
            for (int cached = 0; cached < 2; cached++) {
                assertThat(instance.call(U1, rename("/home/u1/e", "/home/u1/e", RenameMode.INTO)))
                        .isEqualTo(Reply.Done.NO);
                assertThat(instance.call(U1, rename("/home/u1/e", "/home/u1", RenameMode.INTO)))
                        .isEqualTo(Reply.Done.YES);
                instance.call(stat("/home/u1/e"));
            }
        }
        assertThat(code(U1, rename("/home/u1/none", "/home/u1/none/c", RenameMode.STRICT)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        denied(U1, rename("/home/u1/e", "/home/u1/closed", RenameMode.INTO));
        denied(U1, rename("/home/u2/none", "/home/u1/x", RenameMode.INTO));
    }

    @Test
    void shouldTellRightsBeforeState() {
        makeHomes();
        make(U1, mkdirs("/home/u1/d/sub", 0755), create("/home/u1/f", 0644, false));
        denied(U2, delete("/home/u1/d", false));
        denied(U2, delete("/home/u1/none", false));
        denied(U2, create("/home/u1/f", 0644, false));
        denied(U2, new AttributeOperation.SetReplication(FsPath.of("/home/u1/d"), 2));
        for (String path : List.of("/home/u1/d", "/home/u1/none", "/none/none")) {
            assertThat(instance.call(U1, new AttributeOperation.SetReplication(FsPath.of(path), 2)))
                    .isEqualTo(Reply.Done.NO);
        }
        denied(U2, new AttributeOperation.SetReplication(FsPath.ROOT, 2));
        assertThat(instance.call(new AttributeOperation.SetReplication(FsPath.ROOT, 2)))
                .isEqualTo(Reply.Done.NO);
    }

    @Test
    void shouldTellOfTheRootWhatIsToldOfAnyDirectory() {
        assertThat(code(U1, delete("/", false))).as("empty").isEqualTo(ErrorCode.NOT_ALLOWED);
        makeHomes();
        make(U1, mkdirs("/home/u1/d/sub", 0755));
        assertThat(code(SimulatedCluster.ROOT, delete("/", false))).isEqualTo(ErrorCode.NOT_EMPTY);
        assertThat(code(SimulatedCluster.ROOT, delete("/", true))).isEqualTo(ErrorCode.NOT_ALLOWED);
        denied(U1, delete("/", false));
        denied(U1, delete("/", true));
        make(SimulatedCluster.ROOT, chmod("/", 0777));
        // Below is a directory that is not empty, and not his.
        denied(U2, delete("/", false));
        denied(U2, delete("/", true));
        make(SimulatedCluster.ROOT, delete("/home", true));
        assertThat(code(U2, delete("/", false))).isEqualTo(ErrorCode.NOT_EMPTY);
        assertThat(code(U2, delete("/", true))).isEqualTo(ErrorCode.NOT_ALLOWED);
    }

    /** Sources: one that exists and may not be moved, one that may, and one that is missing. */
    @ParameterizedTest
    @EnumSource(RenameMode.class)
    void shouldTellOfARenameTheRightsThenTheSourceThenTheDestination(RenameMode mode) {
        makeHomes();
        make(U1, create("/tmp/his", 0666, false));
        make(U2, create("/tmp/mine", 0666, false), mkdirs("/tmp/dir/sub", 0755), mkdirs("/home/u2/d", 0755));
        boolean legacy = mode == RenameMode.INTO;
        for (String hopeless : List.of("/tmp/none/x", "/home/u2/none/none/x", "/")) {
            if (legacy && hopeless.equals("/")) {
                continue;
            }
            denied(U2, rename("/tmp/his", hopeless, mode));
            answered(U2, rename("/tmp/missing", hopeless, mode), legacy ? null : ErrorCode.NOT_FOUND);
            answered(
                    U2,
                    rename("/tmp/mine", hopeless, mode),
                    legacy ? null : hopeless.equals("/") ? ErrorCode.NOT_ALLOWED : ErrorCode.NOT_FOUND);
        }
        answered(U2, rename("/tmp/dir", "/tmp/dir/none/x", mode), legacy ? null : ErrorCode.NOT_ALLOWED);
        answered(U2, rename("/tmp/none", "/tmp/none/x", mode), legacy ? null : ErrorCode.NOT_FOUND);
        denied(U2, rename("/tmp/his", "/home/x", mode));
        denied(U2, rename("/", "/home/u1/x", mode));
        answered(U2, rename("/", "/home/u2/x", mode), legacy ? null : ErrorCode.NOT_ALLOWED);
        answered(U2, rename("/", "/home", mode), legacy ? null : ErrorCode.PERMISSION_DENIED);
        assertThat(code(U2, rename("/", "/tmp/his/x", mode))).isEqualTo(ErrorCode.NOT_A_DIRECTORY);
        if (!legacy) {
            assertThat(code(U2, rename("/tmp/mine", "/tmp/dir", mode))).isEqualTo(ErrorCode.IS_A_DIRECTORY);
            assertThat(code(U2, rename("/tmp/dir", "/tmp/his", mode))).isEqualTo(ErrorCode.NOT_A_DIRECTORY);
        }
        make(U2, stat("/tmp/mine"), stat("/tmp/dir/sub"));
    }

    /** A refusal, or the false of the legacy rename. */
    private void answered(Principal who, Operation<?> operation, @Nullable ErrorCode refusal) {
        Reply reply = instance.call(who, operation);
        assertThat(reply instanceof Reply.Failure failure ? failure.code() : reply)
                .as(operation.toString())
                .isEqualTo(refusal == null ? Reply.Done.NO : refusal);
    }
}
