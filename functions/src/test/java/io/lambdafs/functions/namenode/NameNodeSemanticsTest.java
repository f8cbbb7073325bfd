package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.SeenFile;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.OperationReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests the answers of each operation, as HDFS's, on a cluster of four deployments; engines of other modules extend it.
 */
public class NameNodeSemanticsTest {
    private static final Principal ALICE = new Principal("alice", List.of("users"));
    private static final Principal BOB = new Principal("bob", List.of("users", "staff"));

    private final SimulatedCluster cluster = new SimulatedCluster(1, 4, this::open);

    /** The store that the cluster is made on. */
    protected EngineUnderTest open(Scheduler scheduler) {
        return EngineUnderTest.inMemory(scheduler);
    }

    private static FsPath path(String text) {
        return FsPath.of(text);
    }

    private Reply mkdirs(String path) {
        return cluster.call(new NamespaceOperation.Mkdirs(path(path), 0755, true));
    }

    private static FileOperation.Create createOp(String path, String content, boolean overwrite) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return new FileOperation.Create(path(path), 0644, overwrite, true, 3, 128 << 20, bytes, null);
    }

    private Reply create(String path, String content) {
        return cluster.call(createOp(path, content, false));
    }

    private Attributes stat(String path) {
        Reply reply = cluster.call(new ReadOperation.Stat(path(path)));
        assertThat(reply).isInstanceOf(Reply.Status.class);
        return ((Reply.Status) reply).attributes();
    }

    private @Nullable ErrorCode codeOf(Reply reply) {
        return reply instanceof Reply.Failure failure ? failure.code() : null;
    }

    private @Nullable ErrorCode statCode(String path) {
        return codeOf(cluster.call(new ReadOperation.Stat(path(path))));
    }

    private String read(String path) {
        Reply reply = cluster.call(new ReadOperation.Open(path(path)));
        assertThat(reply).isInstanceOf(Reply.Opened.class);
        return new String(((Reply.Opened) reply).content(), StandardCharsets.UTF_8);
    }

    private List<String> list(String path) {
        List<String> names = new ArrayList<>();
        Reply.Page page;
        do {
            String after = names.isEmpty() ? "" : names.get(names.size() - 1);
            page = (Reply.Page) cluster.call(new ReadOperation.ListPage(path(path), after, 3));
            page.entries().forEach(entry -> names.add(entry.name()));
        } while (page.more());
        return names;
    }

    private Reply rename(String from, String to, RenameMode mode) {
        return cluster.call(new NamespaceOperation.Rename(path(from), path(to), mode));
    }

    private Reply delete(String path, boolean recursive) {
        return cluster.call(new NamespaceOperation.Delete(path(path), recursive));
    }

    @Test
    void shouldServeTheEmptyRoot() {
        assertThat(stat("/").isDirectory()).isTrue();
        assertThat(stat("/").children()).isZero();
        assertThat(list("/")).isEmpty();
        assertThat(statCode("/none")).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldMakeAllMissingDirectories() {
        assertThat(mkdirs("/a/b/c")).isEqualTo(Reply.Done.YES);
        assertThat(mkdirs("/a/b/c")).isEqualTo(Reply.Done.YES);
        assertThat(stat("/a/b").children()).isEqualTo(1);
        assertThat(stat("/").children()).isEqualTo(1);
        assertThat(list("/a")).containsExactly("b");
        Reply noParent = cluster.call(new NamespaceOperation.Mkdirs(path("/x/y"), 0755, false));
        assertThat(codeOf(noParent)).isEqualTo(ErrorCode.NOT_FOUND);
        create("/a/f", "x");
        assertThat(codeOf(mkdirs("/a/f"))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(mkdirs("/a/f/g"))).isEqualTo(ErrorCode.NOT_A_DIRECTORY);
    }

    @Test
    void shouldKeepSmallFilesWithTheMetadata() {
        create("/d/hello", "hello");
        assertThat(read("/d/hello")).isEqualTo("hello");
        assertThat(stat("/d/hello").size()).isEqualTo(5);
        assertThat(stat("/d/hello").replication()).isEqualTo(3);
        assertThat(codeOf(create("/d/hello", "again"))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(cluster.call(createOp("/d/hello", "again", true))).isInstanceOf(Reply.Status.class);
        assertThat(read("/d/hello")).isEqualTo("again");
        create("/d/empty", "");
        assertThat(read("/d/empty")).isEmpty();
        assertThat(stat("/d").children()).isEqualTo(2);
        assertThat(codeOf(create("/d", "x"))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        String long64 = "x".repeat((64 << 10) + 1);
        assertThat(codeOf(create("/d/long", long64))).isEqualTo(ErrorCode.NEEDS_DATANODE);
        assertThat(statCode("/d/long")).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldCompleteOnlyTheFileThatWasCreated() {
        Reply.Status created = (Reply.Status) cluster.call(createOp("/w", "", false));
        assertThat(created.attributes().content()).isEqualTo(INode.Content.NONE);
        assertThat(read("/w")).isEmpty();
        byte[] bytes = {1, 2, 3};
        OpenFile file = created.file();
        OpenFile other = new OpenFile(file.id() + 1, file.directoryId());
        assertThat(codeOf(cluster.call(new FileOperation.Complete(path("/w"), other, bytes))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(cluster.call(new FileOperation.Complete(path("/w"), file, bytes)))
                .isInstanceOf(Reply.Status.class);
        assertThat(stat("/w").size()).isEqualTo(3);
        assertThat(codeOf(cluster.call(new FileOperation.Complete(path("/w"), file, bytes))))
                .isEqualTo(ErrorCode.NOT_UNDER_CONSTRUCTION);
    }

    @Test
    void shouldLetTheOwnerCompleteAReadOnlyFileAndNobodyElse() {
        FileOperation.Create create =
                new FileOperation.Create(path("/ro"), 0444, false, true, 3, 128 << 20, new byte[0], null);
        cluster.call(new AttributeOperation.SetPermission(FsPath.ROOT, 0777));
        OpenFile file = ((Reply.Status) cluster.owner(create).call(ALICE, create)).file();
        FileOperation.Complete complete = new FileOperation.Complete(path("/ro"), file, new byte[] {1});

        assertThat(codeOf(cluster.owner(complete).call(BOB, complete))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(cluster.owner(complete).call(ALICE, complete)).isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldListInUtf8OrderAndByPages() {
        List<String> names = List.of("b", "a", "Z", "é", "zz", "𝒳", "\uffee", "0");
        names.forEach(name -> create("/l/" + name, "x"));
        mkdirs("/l/sub/deep");
        List<String> expected = List.of("0", "Z", "a", "b", "sub", "zz", "é", "\uffee", "𝒳");
        assertThat(list("/l")).isEqualTo(expected);
        assertThat(list("/l")).isEqualTo(expected);
        Reply.Page page = (Reply.Page) cluster.call(new ReadOperation.ListPage(path("/l"), "", 100));
        Attributes sub = page.entries().get(4);
        assertThat(sub.children()).isEqualTo(1);
        assertThat(codeOf(cluster.call(new ReadOperation.ListPage(path("/none"), "", 5))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(list("/l/a")).containsExactly("a");
    }

    @Test
    void shouldDeleteFilesAndDirectories() {
        create("/d/a", "1");
        create("/d/sub/b", "2");
        assertThat(delete("/d/none", false)).isEqualTo(Reply.Done.NO);
        assertThat(delete("/none/none", true)).isEqualTo(Reply.Done.NO);
        assertThat(delete("/d/a", false)).isEqualTo(Reply.Done.YES);
        assertThat(statCode("/d/a")).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(delete("/d", false))).isEqualTo(ErrorCode.NOT_EMPTY);
        assertThat(list("/d")).containsExactly("sub");
        assertThat(delete("/d", true)).isEqualTo(Reply.Done.YES);
        assertThat(statCode("/d/sub/b")).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(list("/")).isEmpty();
        assertThat(stat("/").children()).isZero();
        mkdirs("/e");
        assertThat(delete("/e", false)).isEqualTo(Reply.Done.YES);
        assertThat(codeOf(delete("/", true))).isEqualTo(ErrorCode.NOT_ALLOWED);
        cluster.advance(Duration.ofSeconds(20));
        assertThat(cluster.wholeStore().inodes()).isEqualTo(1);
    }

    @Test
    void shouldRenameAsHdfsDoes() {
        create("/a/f", "1");
        create("/b/g", "2");
        mkdirs("/c");
        assertThat(rename("/a/f", "/c", RenameMode.INTO)).isEqualTo(Reply.Done.YES);
        assertThat(read("/c/f")).isEqualTo("1");
        assertThat(rename("/a/none", "/c", RenameMode.INTO)).isEqualTo(Reply.Done.NO);
        assertThat(rename("/b/g", "/c/f", RenameMode.INTO)).isEqualTo(Reply.Done.NO);
        assertThat(codeOf(rename("/b/g", "/c/f", RenameMode.STRICT))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(rename("/b/g", "/c/f", RenameMode.OVERWRITE)).isEqualTo(Reply.Done.YES);
        assertThat(read("/c/f")).isEqualTo("2");
        assertThat(codeOf(rename("/none", "/x", RenameMode.STRICT))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(rename("/c/f", "/none/x", RenameMode.STRICT))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(rename("/c/f", "/c/f", RenameMode.INTO)).isEqualTo(Reply.Done.YES);
        assertThat(codeOf(rename("/c/f", "/c/f", RenameMode.STRICT))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(rename("/c/f", "/a", RenameMode.OVERWRITE))).isEqualTo(ErrorCode.IS_A_DIRECTORY);
    }

    @Test
    void shouldReplaceAndDeleteOnlyTheFileThatWasSeen() {
        create("/d/f", "first");
        SeenFile first = SeenFile.of(stat("/d/f"));
        create("/d/new", "second");
        assertThat(codeOf(renameOver("/d/new", "/d/none", first))).isEqualTo(ErrorCode.NOT_FOUND);
        mkdirs("/d/sub");
        assertThat(codeOf(renameOver("/d/new", "/d/sub", first))).isEqualTo(ErrorCode.IS_A_DIRECTORY);
        for (SeenFile other : List.of(
                new SeenFile(first.id() + 1, first.size(), first.mtime()),
                new SeenFile(first.id(), first.size() + 1, first.mtime()),
                new SeenFile(first.id(), first.size(), first.mtime() + 1))) {
            assertThat(codeOf(renameOver("/d/new", "/d/f", other))).isEqualTo(ErrorCode.ALREADY_EXISTS);
            assertThat(codeOf(deleteSeen("/d/f", other))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        }
        assertThat(read("/d/f")).isEqualTo("first");
        assertThat(renameOver("/d/new", "/d/f", first)).isEqualTo(Reply.Done.YES);
        assertThat(read("/d/f")).isEqualTo("second");
        assertThat(codeOf(deleteSeen("/d/f", first))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(deleteSeen("/d/sub", first))).isEqualTo(ErrorCode.IS_A_DIRECTORY);
        assertThat(deleteSeen("/d/none", first)).isEqualTo(Reply.Done.NO);
        assertThat(deleteSeen("/d/f", SeenFile.of(stat("/d/f")))).isEqualTo(Reply.Done.YES);
        assertThat(list("/d")).containsExactly("sub");
        cluster.wholeStore();
    }

    private Reply renameOver(String source, String destination, SeenFile seen) {
        return cluster.call(new NamespaceOperation.Rename(path(source), path(destination), RenameMode.OVERWRITE, seen));
    }

    private Reply deleteSeen(String path, SeenFile seen) {
        return cluster.call(new NamespaceOperation.Delete(path(path), false, seen));
    }

    @Test
    void shouldMoveDirectoriesWhole() {
        create("/src/one/two/f", "deep");
        mkdirs("/dst");
        assertThat(rename("/src/one", "/dst", RenameMode.INTO)).isEqualTo(Reply.Done.YES);
        assertThat(read("/dst/one/two/f")).isEqualTo("deep");
        assertThat(statCode("/src/one")).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(statCode("/src/one/two/f")).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(stat("/src").children()).isZero();
        assertThat(stat("/dst").children()).isEqualTo(1);
        assertThat(codeOf(rename("/dst", "/dst/one/x", RenameMode.STRICT))).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(rename("/dst", "/dst/one/x", RenameMode.INTO)).isEqualTo(Reply.Done.NO);
        assertThat(codeOf(rename("/src", "/dst", RenameMode.STRICT))).isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(rename("/src", "/dst", RenameMode.OVERWRITE))).isEqualTo(ErrorCode.NOT_EMPTY);
        mkdirs("/empty");
        assertThat(rename("/dst", "/empty", RenameMode.OVERWRITE)).isEqualTo(Reply.Done.YES);
        assertThat(read("/empty/one/two/f")).isEqualTo("deep");
        create("/file", "x");
        assertThat(codeOf(rename("/empty", "/file", RenameMode.OVERWRITE))).isEqualTo(ErrorCode.NOT_A_DIRECTORY);
        assertThat(codeOf(rename("/", "/x", RenameMode.STRICT))).isEqualTo(ErrorCode.NOT_ALLOWED);
        cluster.wholeStore();
    }

    @Test
    void shouldListFromCacheAfterItsOwnWrites() {
        mkdirs("/own");
        Operation<?> list = new ReadOperation.ListPage(path("/own"), "", 100);
        SimulatedCluster.Instance owner = cluster.owner(list);
        assertThat(owner.hits(list)).isFalse();
        create("/own/b", "x");
        create("/own/a", "x");
        assertThat(owner.hits(list)).isTrue();
        cluster.call(new AttributeOperation.SetPermission(path("/own/b"), 0600));
        assertThat(rename("/own/a", "/own/c", RenameMode.STRICT)).isEqualTo(Reply.Done.YES);
        assertThat(owner.hits(list)).isTrue();
        assertThat(list("/own")).containsExactly("b", "c");
        cluster.call(new NamespaceOperation.Delete(path("/own/b"), false));
        assertThat(owner.hits(list)).isTrue();
        mkdirs("/own/sub");
        assertThat(list("/own")).containsExactly("c", "sub");
    }

    @Test
    void shouldCheckPermissionsOnHitsToo() {
        create("/p/secret", "s");
        assertThat(read("/p/secret")).isEqualTo("s");
        cluster.call(new AttributeOperation.SetPermission(path("/p/secret"), 0600));
        assertThat(read("/p/secret")).isEqualTo("s");
        Operation<?> open = new ReadOperation.Open(path("/p/secret"));
        assertThat(cluster.owner(open).hits(open)).isTrue();
        assertThat(codeOf(cluster.owner(open).call(ALICE, open))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        cluster.call(new AttributeOperation.SetPermission(path("/p"), 0700));
        Operation<?> stat = new ReadOperation.Stat(path("/p/secret"));
        assertThat(codeOf(cluster.owner(stat).call(ALICE, stat))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        cluster.call(new AttributeOperation.SetOwner(path("/p"), "alice", null));
        assertThat(cluster.owner(stat).call(ALICE, stat)).isInstanceOf(Reply.Status.class);
        assertThat(stat("/p").owner()).isEqualTo("alice");
    }

    @Test
    void shouldEnforceOwnershipStickyBitAndWriteAccess() {
        cluster.call(new NamespaceOperation.Mkdirs(path("/tmp"), 01777, true));
        FileOperation.Create mine = createOp("/tmp/alices", "a", false);
        assertThat(cluster.owner(mine).call(ALICE, mine)).isInstanceOf(Reply.Status.class);
        Operation<?> remove = new NamespaceOperation.Delete(path("/tmp/alices"), false);
        assertThat(codeOf(cluster.owner(remove).call(BOB, remove))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        Operation<?> away = new NamespaceOperation.Rename(path("/tmp/alices"), path("/tmp/bobs"), RenameMode.STRICT);
        assertThat(codeOf(cluster.owner(away).call(BOB, away))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        Operation<?> chown = new AttributeOperation.SetOwner(path("/tmp/alices"), "bob", null);
        assertThat(codeOf(cluster.owner(chown).call(ALICE, chown))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        Operation<?> chgrp = new AttributeOperation.SetOwner(path("/tmp/alices"), null, "staff");
        assertThat(codeOf(cluster.owner(chgrp).call(ALICE, chgrp))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        Operation<?> chmod = new AttributeOperation.SetPermission(path("/tmp/alices"), 0600);
        assertThat(codeOf(cluster.owner(chmod).call(BOB, chmod))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(cluster.owner(chmod).call(ALICE, chmod)).isEqualTo(Reply.Done.YES);
        mkdirs("/closed");
        Operation<?> make = new NamespaceOperation.Mkdirs(path("/closed/x"), 0755, true);
        assertThat(codeOf(cluster.owner(make).call(ALICE, make))).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void shouldJudgeWantedAccessFromCacheAndStore() {
        mkdirs("/p");
        create("/p/secret", "s");
        cluster.call(new AttributeOperation.SetPermission(path("/p/secret"), 0640));
        cluster.call(new AttributeOperation.SetOwner(path("/p/secret"), "alice", "staff"));
        Operation<?> read = new ReadOperation.Access(path("/p/secret"), Access.READ);
        Operation<?> write = new ReadOperation.Access(path("/p/secret"), Access.WRITE);
        Operation<?> execute = new ReadOperation.Access(path("/p/secret"), Access.EXECUTE);
        Operation<?> directory = new ReadOperation.Access(path("/p"), Access.WRITE);
        SimulatedCluster.Instance caching = cluster.owner(read);
        SimulatedCluster.Instance stranger = cluster.start((caching.deployment + 1) % 4);
        assertThat(caching.hits(read)).isTrue();
        assertThat(stranger.hits(read)).isFalse();
        for (SimulatedCluster.Instance asked : List.of(caching, stranger)) {
            assertThat(asked.call(BOB, read)).isEqualTo(Reply.Done.YES);
            assertThat(codeOf(asked.call(BOB, write))).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(asked.call(ALICE, write)).isEqualTo(Reply.Done.YES);
            assertThat(codeOf(asked.call(ALICE, execute))).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(asked.call(execute)).isEqualTo(Reply.Done.YES);
            assertThat(codeOf(asked.call(ALICE, directory))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
        assertThat(cluster.owner(directory).hits(directory)).isTrue();
        cluster.call(new AttributeOperation.SetPermission(path("/p"), 0700));
        assertThat(codeOf(cluster.owner(read).call(ALICE, read))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(codeOf(cluster.call(new ReadOperation.Access(path("/p/none"), 0))))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldKeepTheStickyBitOfFilesAndShowNoAccessTimeOfDirectories() {
        create("/d/f", "x");
        assertThat(cluster.call(new AttributeOperation.SetPermission(path("/d/f"), 01644)))
                .isEqualTo(Reply.Done.YES);
        assertThat(stat("/d/f").mode()).isEqualTo(01644);
        assertThat(stat("/d").atime()).isZero();
        assertThat(stat("/").atime()).isZero();
        cluster.call(new AttributeOperation.SetTimes(path("/d"), -1, 77));
        assertThat(stat("/d").atime()).isEqualTo(77);
    }

    /** The beginning of 1970 is a time like any other; a negative one means that it stays. */
    @Test
    void shouldSetTimesOfZeroAndLeaveNegativeOnes() {
        create("/d/f", "x");
        for (String each : List.of("/d", "/d/f")) {
            cluster.call(new AttributeOperation.SetTimes(path(each), 55, 66));
            cluster.call(new AttributeOperation.SetTimes(path(each), 0, -1));
            assertThat(stat(each).mtime()).isZero();
            assertThat(stat(each).atime()).isEqualTo(66);
            cluster.call(new AttributeOperation.SetTimes(path(each), -1, 0));
            assertThat(stat(each).mtime()).isZero();
            assertThat(stat(each).atime()).isZero();
        }
    }

    /** Directories on the way are their owner's to fill, whatever mode the last one gets; a file's are as the one above them. */
    @Test
    void shouldMakeDirectoriesOnTheWayThatTheirOwnerCanFill() {
        cluster.call(new NamespaceOperation.Mkdirs(path("/a/b/c"), 0441, true));
        assertThat(stat("/a").mode()).isEqualTo(0741);
        assertThat(stat("/a/b").mode()).isEqualTo(0741);
        assertThat(stat("/a/b/c").mode()).isEqualTo(0441);
        create("/a/b/c/d/e/f", "x");
        assertThat(stat("/a/b/c/d").mode()).isEqualTo(0741);
        assertThat(stat("/a/b/c/d/e").mode()).isEqualTo(0741);
    }

    @Test
    void shouldRefuseAnOwnerAGroupThatItIsNotInThoughTheFileHasIt() {
        cluster.call(new NamespaceOperation.Mkdirs(path("/tmp"), 01777, true));
        FileOperation.Create mine = createOp("/tmp/alices", "a", false);
        cluster.owner(mine).call(ALICE, mine);
        assertThat(stat("/tmp/alices").group()).isEqualTo(Principal.SUPERGROUP);
        Operation<?> chgrp = new AttributeOperation.SetOwner(path("/tmp/alices"), null, Principal.SUPERGROUP);
        assertThat(codeOf(cluster.owner(chgrp).call(ALICE, chgrp))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        Operation<?> chown = new AttributeOperation.SetOwner(path("/tmp/alices"), "alice", null);
        assertThat(cluster.owner(chown).call(ALICE, chown)).isEqualTo(Reply.Done.YES);
    }

    @Test
    void shouldDemandAllAccessBelowARecursiveDelete() {
        cluster.call(new NamespaceOperation.Mkdirs(path("/pub"), 0777, true));
        Operation<?> make = new NamespaceOperation.Mkdirs(path("/pub/mine/sub"), 0755, true);
        cluster.owner(make).call(ALICE, make);
        create("/pub/mine/sub/f", "x");
        cluster.call(new AttributeOperation.SetPermission(path("/pub/mine/sub"), 0500));
        Operation<?> remove = new NamespaceOperation.Delete(path("/pub/mine"), true);
        assertThat(codeOf(cluster.owner(remove).call(ALICE, remove))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(read("/pub/mine/sub/f")).isEqualTo("x");
        cluster.call(new AttributeOperation.SetPermission(path("/pub/mine/sub"), 0700));
        assertThat(cluster.owner(remove).call(ALICE, remove)).isEqualTo(Reply.Done.YES);
        cluster.wholeStore();
    }

    @Test
    void shouldSetTimesAndReplication() {
        create("/t/f", "x");
        assertThat(cluster.call(new AttributeOperation.SetTimes(path("/t/f"), 1_000, 2_000)))
                .isEqualTo(Reply.Done.YES);
        assertThat(stat("/t/f").mtime()).isEqualTo(1_000);
        assertThat(stat("/t/f").atime()).isEqualTo(2_000);
        cluster.call(new AttributeOperation.SetTimes(path("/t"), 5, -1));
        assertThat(stat("/t").mtime()).isEqualTo(5);
        assertThat(stat("/t").children()).isEqualTo(1);
        assertThat(cluster.call(new AttributeOperation.SetReplication(path("/t/f"), 7)))
                .isEqualTo(Reply.Done.YES);
        assertThat(stat("/t/f").replication()).isEqualTo(7);
        assertThat(cluster.call(new AttributeOperation.SetReplication(path("/t"), 7)))
                .isEqualTo(Reply.Done.NO);
        assertThat(cluster.call(new AttributeOperation.SetReplication(path("/t/none"), 7)))
                .isEqualTo(Reply.Done.NO);
    }

    @Test
    void shouldRefuseToReadWhatWasImportedWithoutContent() {
        FileOperation.Create imported = new FileOperation.Create(
                path("/i"), 0644, false, true, 1, 1 << 20, null, new FileOperation.Imported(1_000_000, 77));
        cluster.call(imported);
        assertThat(stat("/i").size()).isEqualTo(1_000_000);
        assertThat(stat("/i").mtime()).isEqualTo(77);
        Reply.Opened opened = (Reply.Opened) cluster.call(new ReadOperation.Open(path("/i")));
        assertThat(opened.content()).isNull();
        assertThat(opened.attributes().content()).isEqualTo(INode.Content.ABSENT);
    }

    @Test
    void shouldReadOfADirectoryThatIsTooLargeToBeCachedNoMoreThanThePageThatIsAskedFor() {
        NameNodeSettings usual = cluster.settings;
        cluster.settings =
                new NameNodeSettings(usual.superuser(), usual.times(), usual.smallFileLimit(), 20, usual.reclaim(), 0);
        mkdirs("/large");
        for (int i = 0; i < 30; i++) {
            create("/large/f" + (10 + i), "");
        }
        cluster.store.scanned = 0;
        List<String> names = new ArrayList<>();
        Reply.Page page = list("/large", "", 5);
        while (true) {
            page.entries().forEach(entry -> names.add(entry.name()));
            if (!page.more()) {
                break;
            }
            page = list("/large", names.get(names.size() - 1), 5);
        }
        assertThat(names).hasSize(30).isSorted().doesNotHaveDuplicates();
        // Of each page one row besides, which tells that there are more.
        assertThat(cluster.store.scanned).isLessThanOrEqualTo(30 + 6);
    }

    @Test
    void shouldReadAListingOnceForAllWhoWaitForIt() {
        mkdirs("/hot/directory");
        for (int i = 0; i < 20; i++) {
            create("/hot/f" + (10 + i), "");
        }
        cluster.setLatency(Duration.ofMillis(1));
        ReadOperation.ListPage all = new ReadOperation.ListPage(path("/hot"), "", 100);
        SimulatedCluster.Instance owner = cluster.owner(all);
        cluster.store.scanned = 0;
        List<CompletableFuture<OperationReply>> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(owner.send(ALICE, cluster.nextId(), all));
        }
        for (CompletableFuture<OperationReply> each : asked) {
            Reply.Page page = (Reply.Page) cluster.await(each).reply();
            assertThat(page.entries()).hasSize(21);
        }
        // Once for whoever came first; for the others the listing is cached by then, but for the directory's count.
        assertThat(cluster.store.scanned).isEqualTo(21);
    }

    private Reply.Page list(String path, String startAfter, int limit) {
        return (Reply.Page) cluster.call(new ReadOperation.ListPage(path(path), startAfter, limit));
    }
}
