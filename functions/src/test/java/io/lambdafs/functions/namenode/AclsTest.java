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
import io.lambdafs.store.Mutation;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** ACLs: kept, inherited, judged by, and told. */
class AclsTest {
    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final Principal ANN = new Principal("ann", List.of("staff"));

    private final SimulatedCluster cluster = new SimulatedCluster(3, 1);

    private Instance start() {
        Instance instance = cluster.start(0);
        done(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        done(create(FILE, 0640));
        return instance;
    }

    private static FileOperation.Create create(FsPath path, int mode) {
        return new FileOperation.Create(path, mode, false, true, 1, 1 << 20, new byte[] {1}, null);
    }

    private void done(Operation<?> operation) {
        assertThat(cluster.call(operation)).as("%s", operation).isNotInstanceOf(Reply.Failure.class);
    }

    private void refused(ErrorCode code, Operation<?> operation) {
        assertThat(cluster.call(operation))
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    private static AttributeOperation.ChangeAcl modify(FsPath path, String entries) {
        return new AttributeOperation.ChangeAcl(path, AclChange.MODIFY, AclEntry.parse(entries));
    }

    /** The mode in octal, and the entries beyond it. */
    private String acl(FsPath path) {
        Reply.AclStatus found = (Reply.AclStatus) cluster.call(new ReadOperation.GetAcl(path));
        return Integer.toOctalString(found.mode()) + " " + AclEntry.text(found.entries());
    }

    private boolean shownWithAcl(FsPath path) {
        return ((Reply.Status) cluster.call(new ReadOperation.Stat(path)))
                .attributes()
                .hasAcl();
    }

    @Test
    void shouldKeepEntriesWhateverElseChanges() {
        start();
        done(modify(FILE, "user:ann:rw-"));
        assertThat(acl(FILE)).isEqualTo("660 user:ann:rw-,group::r--");
        assertThat(shownWithAcl(FILE)).isTrue();
        done(new AttributeOperation.SetPermission(FILE, 0600));
        assertThat(acl(FILE)).isEqualTo("600 user:ann:rw-,group::r--");
        done(new AttributeOperation.SetOwner(FILE, "u1", null));
        done(new AttributeOperation.SetTimes(FILE, 5, 5));
        FsPath moved = FsPath.of("/moved");
        done(new NamespaceOperation.Rename(FILE, moved, RenameMode.STRICT));
        assertThat(acl(moved)).isEqualTo("600 user:ann:rw-,group::r--");
        done(new AttributeOperation.ChangeAcl(moved, AclChange.REMOVE_ALL, List.of()));
        assertThat(acl(moved)).isEqualTo("640 ");
        assertThat(shownWithAcl(moved)).isFalse();
        cluster.wholeStore();
    }

    @Test
    void shouldInheritTheDefaultAclWithoutTheUmaskAndKeepItThroughARename() {
        start();
        done(modify(DIRECTORY, "default:user:ann:rwx,default:group::r-x"));
        String defaults =
                "default:user::rwx,default:user:ann:rwx,default:group::r-x,default:mask::rwx,default:other::r-x";
        assertThat(acl(DIRECTORY)).isEqualTo("755 " + defaults);
        FsPath moved = FsPath.of("/moved");
        done(new NamespaceOperation.Rename(DIRECTORY, moved, RenameMode.STRICT));
        done(new FileOperation.Create(moved.child("g"), 0644, 0666, false, true, 1, 1 << 20, new byte[] {1}, null));
        assertThat(acl(moved.child("g"))).isEqualTo("664 user:ann:rwx,group::r-x");
        done(new NamespaceOperation.Mkdirs(moved.child("a").child("b"), 0750, 0777, true));
        assertThat(acl(moved.child("a"))).isEqualTo("775 user:ann:rwx,group::r-x," + defaults);
        assertThat(acl(moved.child("a").child("b"))).isEqualTo("775 user:ann:rwx,group::r-x," + defaults);
        done(create(moved.child("p").child("q"), 0640));
        assertThat(acl(moved.child("p"))).isEqualTo("755 user:ann:rwx,group::r-x," + defaults);
        assertThat(acl(moved.child("p").child("q"))).isEqualTo("640 user:ann:rwx,group::r-x");
        // What was there before has none.
        assertThat(acl(moved.child("f"))).isEqualTo("640 ");
        done(new AttributeOperation.ChangeAcl(moved, AclChange.REMOVE_DEFAULT, List.of()));
        done(new FileOperation.Create(moved.child("h"), 0644, 0666, false, true, 1, 1 << 20, new byte[] {1}, null));
        assertThat(acl(moved.child("h"))).isEqualTo("644 ");
        cluster.wholeStore();
    }

    /** Above a file they are its owner's to fill; those of mkdirs get what their maker asked for, without its umask. */
    @Test
    void shouldMakeDirectoriesOnTheWayAsHdfsDoesUnderADefaultAcl() {
        start();
        done(modify(DIRECTORY, "default:user:ann:rwx"));
        done(new AttributeOperation.SetPermission(DIRECTORY, 0555));
        done(create(DIRECTORY.child("p").child("q").child("f"), 0640));
        assertThat(acl(DIRECTORY.child("p"))).startsWith("755 ");
        assertThat(acl(DIRECTORY.child("p").child("q"))).startsWith("755 ");
        done(new NamespaceOperation.Mkdirs(DIRECTORY.child("a").child("b"), 0444, 0444, true));
        assertThat(acl(DIRECTORY.child("a"))).startsWith("444 ");
        assertThat(acl(DIRECTORY.child("a").child("b"))).startsWith("444 ");
    }

    @Test
    void shouldJudgeByTheAclFromTheCacheAndForgetWhatWasCachedWhenItChanges() {
        Instance instance = start();
        ReadOperation.Open open = new ReadOperation.Open(FILE);
        assertThat(instance.call(ANN, open)).isInstanceOf(Reply.Failure.class);
        done(modify(FILE, "user:ann:r--"));
        done(open);
        assertThat(instance.hits(open)).isTrue();
        assertThat(instance.call(ANN, open)).isInstanceOf(Reply.Opened.class);
        assertThat(instance.hits(new ReadOperation.GetAcl(FILE))).isTrue();
        done(modify(FILE, "mask::---"));
        done(open);
        assertThat(instance.hits(open)).isTrue();
        assertThat(instance.call(ANN, open)).isInstanceOf(Reply.Failure.class);

        Operation<?> make = create(FsPath.of("/d/g"), 0644);
        assertThat(instance.call(ANN, make)).isInstanceOf(Reply.Failure.class);
        done(modify(DIRECTORY, "user:ann:-wx"));
        assertThat(instance.call(ANN, make)).isInstanceOf(Reply.Status.class);
        done(modify(DIRECTORY, "user:ann:---"));
        assertThat(instance.call(ANN, new ReadOperation.Stat(FILE))).isInstanceOf(Reply.Failure.class);
    }

    @Test
    void shouldLetOwnersAloneChangeIt() {
        Instance instance = start();
        done(new AttributeOperation.SetOwner(FILE, "ann", "staff"));
        assertThat(instance.call(ANN, modify(FILE, "user:bob:r--"))).isEqualTo(Reply.Done.YES);
        assertThat(instance.call(ANN, modify(DIRECTORY, "user:bob:r--")))
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED));
        assertThat(instance.call(ANN, new ReadOperation.GetAcl(FILE))).isInstanceOf(Reply.AclStatus.class);
    }

    @Test
    void shouldRefuseWhatIsNoAcl() {
        start();
        refused(ErrorCode.INVALID_ACL, modify(FILE, "default:user:ann:r--"));
        done(modify(FILE, "user:ann:r--"));
        refused(
                ErrorCode.INVALID_ACL,
                new AttributeOperation.ChangeAcl(FILE, AclChange.REMOVE, AclEntry.parse("mask::---")));
        refused(
                ErrorCode.INVALID_ACL,
                new AttributeOperation.ChangeAcl(FILE, AclChange.SET, AclEntry.parse("user:ann:r--")));
        refused(ErrorCode.NOT_FOUND, modify(FsPath.of("/none"), "user:ann:r--"));
        refused(ErrorCode.NOT_FOUND, new ReadOperation.GetAcl(FsPath.of("/none")));
    }

    @Test
    void shouldRefuseAnAclWhereTheStoreIsOfAnEarlierLevel() {
        start();
        cluster.await(
                cluster.store.begin(0).commit(List.of(new Mutation.Put(FormatLevel.CHANGES.row())), Long.MAX_VALUE));
        refused(ErrorCode.UNSUPPORTED, modify(FILE, "user:ann:r--"));
        refused(ErrorCode.UNSUPPORTED, modify(DIRECTORY, "user:ann:r--"));
    }
}
