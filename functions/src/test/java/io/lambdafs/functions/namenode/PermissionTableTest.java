package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.block.Datanode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HDFS's table of rights: for owner, group, others, and a user, a group and a mask of an ACL, each of the eight combinations of bits on a directory, or on the file in it, and
 * each operation, whether it is granted; answered from the store, from cached entries, from a cached listing, and where nothing is cached.
 * The bits of all others are the opposite ones, so that whoever looks at the wrong ones is found out.
 */
@Tag("once")
class PermissionTableTest {
    private static final int R = 4;
    private static final int W = 2;
    private static final int X = 1;
    /** An operation that needs the owner, whatever the bits. */
    private static final int OWNER = -1;

    private static final int SUPERUSER = -2;

    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final FsPath OTHER_FILE = FsPath.of("/d/g");
    private static final FsPath NONE = FsPath.of("/d/none");
    /** A directory that everybody may do everything with, but for its parent's bits. */
    private static final FsPath BELOW = FsPath.of("/d/below");

    /** The caller, and the bits of the mode that count for it. */
    private enum Who {
        OWNER(6, "u1", "users"),
        GROUP(3, "u2", "staff"),
        OTHER(0, "u3", "users"),
        NAMED_USER(-1, "u4", "staff"),
        NAMED_GROUP(-1, "u5", "named"),
        /** The entries of both groups have bits: one entry alone must have all that are wanted. */
        TWO_GROUPS(-1, "u5", "named"),
        UNDER_MASK(-1, "u4", "staff");

        private final int shift;
        private final String user;
        private final String group;

        Who(int shift, String user, String group) {
            this.shift = shift;
            this.user = user;
            this.group = group;
        }

        Principal caller() {
            return new Principal(user, this == TWO_GROUPS ? List.of(group, "second") : List.of(group));
        }

        /**
         * Returns whether these bits grant what is needed. Searching a directory and writing it, or reading a file and
         * writing it, are two questions: each group may grant one.
         */
        boolean isGranted(int bits, int needed) {
            return (bits & needed) == needed
                    || (this == TWO_GROUPS
                            && ((7 - bits & needed) == needed || needed == (W | X) || needed == (R | W)));
        }

        /** The mode with these bits for it, and the opposite ones for the others. */
        int mode(int bits) {
            int opposite = 7 - bits;
            int others = (opposite << 6) | (opposite << 3) | opposite;
            return shift < 0 ? others : (others & ~(7 << shift)) | (bits << shift);
        }

        /** The entries that give it these bits, and the opposite ones to all others; none where the mode says all. */
        List<AclEntry> entries(int bits) {
            if (shift >= 0) {
                return List.of();
            }
            int opposite = 7 - bits;
            return List.of(
                    new AclEntry(false, AclEntry.Type.USER, "", opposite),
                    new AclEntry(false, AclEntry.Type.USER, "u4", this == NAMED_USER ? bits : 7),
                    new AclEntry(false, AclEntry.Type.GROUP, "", opposite),
                    new AclEntry(
                            false,
                            AclEntry.Type.GROUP,
                            "named",
                            this == NAMED_GROUP || this == TWO_GROUPS ? bits : opposite),
                    new AclEntry(false, AclEntry.Type.GROUP, "second", opposite),
                    new AclEntry(false, AclEntry.Type.MASK, "", this == UNDER_MASK ? bits : 7),
                    new AclEntry(false, AclEntry.Type.OTHER, "", opposite));
        }
    }

    /** Caches before the operation. */
    private enum Cached {
        NOTHING_YET,
        ENTRIES,
        LISTING,
        NEVER_ANYTHING
    }

    /** An operation, and the bits that it needs. */
    private record Case(String name, int needed, Operation<?> operation) {}

    private static Operation<?> create(FsPath path, boolean overwrite) {
        return new FileOperation.Create(path, 0644, overwrite, true, 1, 1 << 20, new byte[] {1}, null);
    }

    /** Concatenates the other of the two files in the directory. */
    private static Operation<?> concat(FsPath target) {
        return new BlockOperation.Concat(target, List.of(target.equals(FILE) ? OTHER_FILE : FILE));
    }

    private static Operation<?> xattr(FsPath path) {
        return new AttributeOperation.SetXattr(path, "user.a", new byte[] {1}, true, true);
    }

    private static final List<Case> ON_DIRECTORY = List.of(
            new Case("stat of the directory", 0, new ReadOperation.Stat(DIRECTORY)),
            new Case("stat in it", X, new ReadOperation.Stat(FILE)),
            new Case("stat of what is not there", X, new ReadOperation.Stat(NONE)),
            new Case("open", X, new ReadOperation.Open(FILE)),
            new Case("list", R | X, new ReadOperation.ListPage(DIRECTORY, "", 10)),
            new Case("list of a file in it", X, new ReadOperation.ListPage(FILE, "", 10)),
            new Case("totals", R | X, new ReadOperation.GetTotals(DIRECTORY)),
            new Case("totals with the quota", R | X, new ReadOperation.GetTotals(DIRECTORY, true)),
            new Case("quota of the directory", SUPERUSER, new AttributeOperation.SetQuota(DIRECTORY, 9, 9)),
            new Case(
                    "snapshots of the directory allowed",
                    SUPERUSER,
                    new AttributeOperation.ChangeSnapshots(
                            DIRECTORY, AttributeOperation.ChangeSnapshots.Action.ALLOW, "", "")),
            new Case("totals of a file in it", X, new ReadOperation.GetTotals(FILE)),
            new Case("create", W | X, create(NONE, false)),
            new Case("create over a file", W | X, create(FILE, true)),
            new Case("mkdirs", W | X, new NamespaceOperation.Mkdirs(NONE, 0755, true)),
            new Case("mkdirs of what is there", 0, new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)),
            new Case("delete", W | X, new NamespaceOperation.Delete(FILE, false)),
            new Case("delete of what is not there", W | X, new NamespaceOperation.Delete(NONE, false)),
            new Case("recursive delete", R | W | X, new NamespaceOperation.Delete(DIRECTORY, true)),
            new Case("recursive delete in it", W | X, new NamespaceOperation.Delete(BELOW, true)),
            new Case(
                    "rename of a directory in it",
                    W | X,
                    new NamespaceOperation.Rename(BELOW, FsPath.of("/t/below"), RenameMode.STRICT)),
            new Case("times of a directory in it", X, new AttributeOperation.SetTimes(BELOW, 1, 1)),
            new Case("attribute of a directory in it", X, xattr(BELOW)),
            new Case("policy of a directory in it", X, new AttributeOperation.SetStoragePolicy(BELOW, "")),
            new Case(
                    "rename out of it",
                    W | X,
                    new NamespaceOperation.Rename(FILE, FsPath.of("/t/f"), RenameMode.STRICT)),
            new Case(
                    "rename into it", W | X, new NamespaceOperation.Rename(FsPath.of("/t/g"), NONE, RenameMode.STRICT)),
            new Case("rename of it", 0, new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/t/d"), RenameMode.STRICT)),
            new Case(
                    "legacy rename into it",
                    W | X,
                    new NamespaceOperation.Rename(FsPath.of("/t/g"), DIRECTORY, RenameMode.INTO)),
            new Case("concat of a file in it", W | X, concat(FILE)),
            new Case("concat to a file in it", W | X, concat(OTHER_FILE)),
            new Case("truncate in it", X, new BlockOperation.Truncate(FILE, 1)),
            new Case("attribute of the directory", W, xattr(DIRECTORY)),
            new Case("attribute in it", X, xattr(FILE)),
            new Case("attributes in it", X, new ReadOperation.GetXattrs(FILE, true)),
            new Case("ACL in it", X, new ReadOperation.GetAcl(FILE)),
            new Case("policy in it", X, new AttributeOperation.SetStoragePolicy(FILE, "")),
            new Case("times of the directory", W, new AttributeOperation.SetTimes(DIRECTORY, 1, 1)),
            new Case("times in it", X, new AttributeOperation.SetTimes(FILE, 1, 1)),
            new Case("replication in it", X, new AttributeOperation.SetReplication(FILE, 2)),
            new Case("take the lease in it", X, new BlockOperation.TakeLease(FILE, false)),
            new Case("truncate in it", X, new BlockOperation.Truncate(FILE, 0)),
            new Case("chmod of the directory", OWNER, new AttributeOperation.SetPermission(DIRECTORY, 0755)),
            new Case("chgrp of the directory", OWNER, new AttributeOperation.SetOwner(DIRECTORY, null, "users")));

    private static final List<Case> ON_FILE = List.of(
            new Case("stat", 0, new ReadOperation.Stat(FILE)),
            new Case("open", R, new ReadOperation.Open(FILE)),
            new Case("list", 0, new ReadOperation.ListPage(FILE, "", 10)),
            new Case("create over it", W, create(FILE, true)),
            new Case("create beside it", 0, create(NONE, false)),
            new Case("delete", 0, new NamespaceOperation.Delete(FILE, false)),
            new Case("rename", 0, new NamespaceOperation.Rename(FILE, NONE, RenameMode.OVERWRITE)),
            new Case("concat of it", R, concat(OTHER_FILE)),
            new Case("concat to it", W, concat(FILE)),
            new Case("truncate", W, new BlockOperation.Truncate(FILE, 1)),
            new Case("attribute", W, xattr(FILE)),
            new Case("times", W, new AttributeOperation.SetTimes(FILE, 1, 1)),
            new Case("replication", W, new AttributeOperation.SetReplication(FILE, 2)),
            new Case("take the lease to append", R | W, new BlockOperation.TakeLease(FILE, false)),
            new Case("take the lease by force", W, new BlockOperation.TakeLease(FILE, true)),
            new Case("chmod", OWNER, new AttributeOperation.SetPermission(FILE, 0644)),
            new Case("chgrp", OWNER, new AttributeOperation.SetOwner(FILE, null, "users")));

    private static final Datanode DATANODE =
            new Datanode(new DatanodeAddress("d1", "localhost", 9_000), "local", Datanode.State.SERVING, 0, 0, 0);

    private final SimulatedCluster cluster = new SimulatedCluster(3, 1);

    static Stream<Arguments> table() {
        return Arrays.stream(Who.values())
                .flatMap(who -> Arrays.stream(Cached.values()).map(cached -> Arguments.of(who, cached)));
    }

    private void root(Operation<?> operation) {
        assertThat(cluster.call(operation)).as("%s", operation).isNotInstanceOf(Reply.Failure.class);
    }

    /** The directory and the file in it, and another directory that everybody may write. */
    private void make(int directoryMode, int fileMode) {
        for (String path : List.of("/", "/d", "/d/below", "/t")) {
            root(new NamespaceOperation.Mkdirs(FsPath.of(path), 0755, true));
            root(new AttributeOperation.SetPermission(FsPath.of(path), 0777));
        }
        root(create(FILE, true));
        root(create(OTHER_FILE, true));
        root(new AttributeOperation.SetOwner(OTHER_FILE, "u1", "staff"));
        root(new AttributeOperation.SetPermission(OTHER_FILE, 0777));
        root(create(FsPath.of("/t/g"), true));
        root(new AttributeOperation.SetOwner(FILE, "u1", "staff"));
        root(new AttributeOperation.SetPermission(FILE, fileMode));
        root(new AttributeOperation.SetOwner(DIRECTORY, "u1", "staff"));
        root(new AttributeOperation.SetPermission(DIRECTORY, directoryMode));
    }

    private void setAcl(FsPath path, List<AclEntry> entries) {
        if (!entries.isEmpty()) {
            root(new AttributeOperation.ChangeAcl(path, AclChange.SET, entries));
        }
    }

    private void clear() {
        root(new NamespaceOperation.Delete(DIRECTORY, true));
        root(new NamespaceOperation.Delete(FsPath.of("/t"), true));
    }

    private void cache(Instance instance, Cached what) {
        if (what == Cached.ENTRIES) {
            root(new ReadOperation.Open(FILE));
            root(new ReadOperation.Stat(FsPath.of("/t/g")));
            assertThat(instance.hits(new ReadOperation.Open(FILE))).isTrue();
        } else if (what == Cached.LISTING) {
            root(new ReadOperation.ListPage(DIRECTORY, "", 10));
            root(new ReadOperation.ListPage(FsPath.ROOT, "", 10));
            assertThat(instance.hits(new ReadOperation.Stat(NONE))).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("table")
    void shouldGrantAndDenyAsHdfsDoes(Who who, Cached cached) {
        cluster.cacheBytes = cached == Cached.NEVER_ANYTHING ? 0 : 16 << 20;
        Instance instance = cluster.start(0);
        List<String> wrong = new ArrayList<>();
        for (int bits = 0; bits < 8; bits++) {
            int mode = who.mode(bits);
            for (Case each : ON_DIRECTORY) {
                make(mode, 0777);
                setAcl(DIRECTORY, who.entries(bits));
                cache(instance, cached);
                check(instance, who, bits, each, wrong);
            }
            for (Case each : ON_FILE) {
                make(0777, mode);
                setAcl(FILE, who.entries(bits));
                cache(instance, cached);
                check(instance, who, bits, each, wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Returns writes of a file that another user has open, whatever the bits allow. */
    private static List<Operation<?>> openWrites(OpenFile file, long generation) {
        return List.of(
                new BlockOperation.AddBlock(FILE, file, generation, 0, null),
                new BlockOperation.CompleteBlocks(FILE, file, generation, 0, null),
                new FileOperation.Complete(FILE, file, generation, new byte[] {1}),
                new BlockOperation.RenewLease(FILE, file, generation),
                new BlockOperation.Abandon(FILE, file, generation),
                new BlockOperation.RecoverLease(FILE, file));
    }

    @ParameterizedTest
    @MethodSource("table")
    void shouldLeaveAnOpenFileToItsWriterWhateverTheBitsAllow(Who who, Cached cached) {
        cluster.cacheBytes = cached == Cached.NEVER_ANYTHING ? 0 : 16 << 20;
        Instance instance = cluster.start(0);
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Put(DATANODE.row())), Long.MAX_VALUE));
        List<String> wrong = new ArrayList<>();
        for (int bits = 0; bits < 8; bits++) {
            for (boolean current : new boolean[] {true, false}) {
                make(0777, who.mode(bits));
                setAcl(FILE, who.entries(bits));
                cache(instance, cached);
                Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(FILE, false));
                for (Operation<?> each : openWrites(leased.file(), current ? leased.generation() : 1)) {
                    Reply reply = instance.call(who.caller(), each);
                    ErrorCode wanted = current || each instanceof BlockOperation.RecoverLease
                            ? ErrorCode.PERMISSION_DENIED
                            : ErrorCode.STALE_GENERATION;
                    if (!(reply instanceof Reply.Failure failure) || failure.code() != wanted) {
                        wrong.add(each + " with the bits " + bits + ": " + reply);
                    }
                }
                clear();
            }
        }
        assertThat(wrong).isEmpty();
    }

    private void check(Instance instance, Who who, int bits, Case each, List<String> wrong) {
        boolean denied = instance.call(who.caller(), each.operation()) instanceof Reply.Failure failure
                && failure.code() == ErrorCode.PERMISSION_DENIED;
        boolean granted = each.needed() == OWNER
                ? who == Who.OWNER
                : each.needed() != SUPERUSER && who.isGranted(bits, each.needed());
        if (denied == granted) {
            wrong.add(each.name() + " with the bits " + bits + (denied ? " is denied" : " is granted"));
        }
        clear();
    }
}
