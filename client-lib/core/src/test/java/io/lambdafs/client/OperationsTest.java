package io.lambdafs.client;

import static io.lambdafs.client.FileFixture.DIRECTORY;
import static io.lambdafs.client.FileFixture.ID;
import static io.lambdafs.client.FileFixture.PATH;
import static io.lambdafs.client.FileFixture.attributes;
import static io.lambdafs.client.FileFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the operation of each method of a client, and that it returns the answer. */
class OperationsTest {
    private static final FsPath OTHER = FsPath.of("/d/g");

    private final FileFixture fixture = new FileFixture();
    private final LambdaFs fs = fixture.fs;
    private final BlockingLambdaFs blocking = new BlockingLambdaFs(fs);

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A method of the client, or of its blocking face. */
    private interface Method {
        Object call() throws InterruptedException;
    }

    private void assertAsks(Operation<?> expected, Reply reply, Object result, Method method) throws Exception {
        fixture.asked.clear();
        fixture.hook = operation -> reply;
        Object got = method.call();
        assertThat(got instanceof CompletionStage<?> stage ? get(stage) : got).isEqualTo(result);
        assertThat(fixture.asked).usingRecursiveFieldByFieldElementComparator().containsExactly(expected);
    }

    /** Checks methods whose answer is whether something has changed. */
    private void assertTells(Operation<?> expected, Method... methods) throws Exception {
        for (Method method : methods) {
            assertAsks(expected, Reply.Done.YES, true, method);
            assertAsks(expected, Reply.Done.NO, false, method);
        }
    }

    @Test
    void shouldChangeTheNamespace() throws Exception {
        assertTells(
                new NamespaceOperation.Mkdirs(PATH, 0750, 0750, true),
                () -> fs.mkdirs(PATH, 0750),
                () -> fs.mkdirs(PATH, 0750, true),
                () -> blocking.mkdirs(PATH, 0750));
        assertTells(new NamespaceOperation.Mkdirs(PATH, 0750, 0777, false), () -> fs.mkdirs(PATH, 0750, 0777, false));
        assertTells(
                new NamespaceOperation.Delete(PATH, true),
                () -> fs.delete(PATH, true),
                () -> blocking.delete(PATH, true));
        assertTells(
                new NamespaceOperation.Rename(PATH, OTHER, RenameMode.STRICT),
                () -> fs.rename(PATH, OTHER, RenameMode.STRICT),
                () -> blocking.rename(PATH, OTHER, RenameMode.STRICT));
    }

    @Test
    void shouldChangeAttributes() throws Exception {
        assertTells(
                new AttributeOperation.SetPermission(PATH, 0640),
                () -> fs.setPermission(PATH, 0640),
                () -> blocking.setPermission(PATH, 0640));
        assertTells(
                new AttributeOperation.SetOwner(PATH, "bob", null),
                () -> fs.setOwner(PATH, "bob", null),
                () -> blocking.setOwner(PATH, "bob", null));
        assertTells(
                new AttributeOperation.SetTimes(PATH, 5, -1),
                () -> fs.setTimes(PATH, 5, -1),
                () -> blocking.setTimes(PATH, 5, -1));
        assertTells(
                new AttributeOperation.SetReplication(PATH, 2),
                () -> fs.setReplication(PATH, 2),
                () -> blocking.setReplication(PATH, 2));
        byte[] value = {1, 2};
        assertTells(
                new AttributeOperation.SetXattr(PATH, "user.a", value, true, false),
                () -> fs.setXattr(PATH, "user.a", value, true, false));
        assertTells(new AttributeOperation.RemoveXattr(PATH, "user.a"), () -> fs.removeXattr(PATH, "user.a"));
        List<AclEntry> entries = AclEntry.parse("user:bob:r--");
        assertTells(
                new AttributeOperation.ChangeAcl(PATH, AclChange.MODIFY, entries),
                () -> fs.changeAcl(PATH, AclChange.MODIFY, entries));
        assertTells(new AttributeOperation.SetSafeMode(FsPath.ROOT, true), () -> fs.setSafeMode(true));
        assertTells(new AttributeOperation.SetStoragePolicy(PATH, ""), () -> fs.setStoragePolicy(PATH, ""));
        assertTells(new AttributeOperation.SetQuota(PATH, 1, -1), () -> fs.setQuota(PATH, 1, -1));
        Difference created = new Difference(Difference.Kind.CREATED, "a", "");
        Difference deleted = new Difference(Difference.Kind.DELETED, "b", "");
        fixture.hook = operation -> operation instanceof ReadOperation.DiffSnapshots ask
                ? ask.after().isEmpty()
                        ? new Reply.Differences(List.of(created), "a")
                        : new Reply.Differences(List.of(deleted), "")
                : null;
        assertThat(fs.differences(PATH, "s", "").toCompletableFuture().join()).containsExactly(created, deleted);
        AttributeOperation.ChangeSnapshots.Action renames = AttributeOperation.ChangeSnapshots.Action.RENAME;
        assertTells(
                new AttributeOperation.ChangeSnapshots(PATH, renames, "a", "b"),
                () -> fs.changeSnapshots(PATH, renames, "a", "b"));
        assertTells(new BlockOperation.Truncate(PATH, 7), () -> fs.truncate(PATH, 7));
        fixture.asked.clear();
        blocking.truncate(PATH, 8);
        assertThat(fixture.asked).containsExactly(new BlockOperation.Truncate(PATH, 8));
    }

    @Test
    void shouldRead() throws Exception {
        Attributes file = attributes(ID, 2, INode.Content.INLINE);
        assertAsks(new ReadOperation.Stat(PATH), new Reply.Status(file), file, () -> fs.stat(PATH));
        assertAsks(new ReadOperation.Stat(PATH), new Reply.Status(file), file, () -> blocking.stat(PATH));
        Reply.Page page = new Reply.Page(List.of(file), true);
        assertAsks(new ReadOperation.ListPage(PATH, "a", 9), page, page, () -> fs.list(PATH, "a", 9));
        assertAsks(new ReadOperation.ListPage(PATH, "a", 9), page, page, () -> blocking.list(PATH, "a", 9));
        Reply.Opened opened = new Reply.Opened(file, new byte[] {1, 2});
        assertAsks(new ReadOperation.Open(PATH), opened, opened, () -> fs.open(PATH));
        assertAsks(new ReadOperation.Open(PATH), opened, opened, () -> blocking.open(PATH));
        assertAsks(new ReadOperation.Open(PATH), opened, opened.content(), () -> fs.read(PATH));
        assertTells(new ReadOperation.Access(PATH, 5), () -> fs.access(PATH, 5));
        Map<String, byte[]> values = Map.of("user.a", new byte[] {3});
        Reply.Xattrs xattrs = new Reply.Xattrs(new TreeMap<>(values));
        assertAsks(new ReadOperation.GetXattrs(PATH, true), xattrs, values, () -> fs.xattrs(PATH, true));
        Reply.AclStatus acl = new Reply.AclStatus("alice", "staff", 0644, List.of());
        assertAsks(new ReadOperation.GetAcl(PATH), acl, acl, () -> fs.acl(PATH));
        assertTells(new ReadOperation.GetSafeMode(FsPath.ROOT), fs::safeMode);
        Reply.StoragePolicy policy = new Reply.StoragePolicy("HOT", List.of("local"));
        assertAsks(new ReadOperation.GetStoragePolicy(PATH), policy, policy, () -> fs.storagePolicy(PATH));
        Reply.Totals totals = new Reply.Totals(1, 2, 3, 6);
        assertAsks(new ReadOperation.GetTotals(PATH), totals, totals, () -> fs.totals(PATH));
        assertAsks(new ReadOperation.GetTotals(PATH, true), totals, totals, () -> fs.usage(PATH));
        String space = "user.lambdafs.dir.space";
        assertThat(get(fs.xattrs(PATH, Set.of(space, "user.lambdafs.dir.quota.names"))))
                .containsOnlyKeys(space)
                .containsEntry(space, new byte[] {'6'});
        assertAsks(
                new ReadOperation.GetXattrs(PATH, true),
                xattrs,
                values,
                () -> fs.xattrs(PATH, Set.of("user.a", "user.b")));
        assertAsks(new ReadOperation.GetXattrs(PATH, true), xattrs, Map.of(), () -> fs.xattrs(PATH, Set.of()));
    }

    @Test
    void shouldMakeFiles() throws Exception {
        CreateOptions options = new CreateOptions(0600, 0666, true, false, 2, 1 << 20);
        byte[] content = {1, 2, 3};
        Attributes file = attributes(ID, 3, INode.Content.INLINE);
        Reply.Status made = new Reply.Status(file, DIRECTORY);
        assertAsks(
                new FileOperation.Create(PATH, 0600, 0666, true, false, 2, 1 << 20, content, null),
                made,
                file,
                () -> fs.create(PATH, content, options));
        assertAsks(
                new FileOperation.Create(PATH, 0600, 0666, true, false, 2, 1 << 20, content, null),
                made,
                file,
                () -> blocking.create(PATH, content, options));
        OpenFile open = new OpenFile(ID, DIRECTORY);
        Operation<?> begun = new FileOperation.Create(PATH, 0600, 0666, true, false, 2, 1 << 20, new byte[0], null);
        assertAsks(begun, made, open, () -> fs.begin(PATH, options));
        assertAsks(begun, made, open, () -> blocking.begin(PATH, options));
        Operation<?> complete = new FileOperation.Complete(PATH, open, content);
        assertAsks(complete, made, file, () -> fs.complete(PATH, open, content));
        assertAsks(complete, made, file, () -> blocking.complete(PATH, open, content));
    }

    @Test
    void shouldChangeOneOptionAndKeepTheOthers() {
        CreateOptions options = new CreateOptions(0600, 0666, true, false, 2, 1 << 20);
        assertThat(CreateOptions.DEFAULT).isEqualTo(new CreateOptions(0644, 0644, false, true, 3, 128 << 20));
        assertThat(options.withMode(0640)).isEqualTo(new CreateOptions(0640, 0640, true, false, 2, 1 << 20));
        assertThat(options.withOverwrite(false)).isEqualTo(new CreateOptions(0600, 0666, false, false, 2, 1 << 20));
        assertThat(options.withCreateParents(true)).isEqualTo(new CreateOptions(0600, 0666, true, true, 2, 1 << 20));
        assertThat(options.withReplication(4)).isEqualTo(new CreateOptions(0600, 0666, true, false, 4, 1 << 20));
        assertThat(options.withBlockSize(5)).isEqualTo(new CreateOptions(0600, 0666, true, false, 2, 5));
    }

    @Test
    void shouldFailWithoutAMessageWhatCannotBeAsked() {
        for (CompletionStage<?> refused : List.of(
                fs.mkdirs(PATH, -1),
                fs.list(PATH, "", 0),
                fs.truncate(PATH, -1),
                fs.access(PATH, 8),
                fs.setPermission(PATH, -1),
                fs.setReplication(PATH, 0),
                fs.begin(PATH, CreateOptions.DEFAULT.withBlockSize(0)),
                fs.setXattr(PATH, "user.a", new byte[16 << 10], true, true))) {
            assertThat(refused.toCompletableFuture()).isCompletedExceptionally();
        }
        assertThat(fixture.asked).isEmpty();
    }

    @Test
    void shouldAskForDamagedFilesUntilThereAreNoMore() {
        fixture.hook = operation -> operation instanceof ReadOperation.ListDamaged ask
                ? ask.after().isEmpty()
                        ? new Reply.Damaged(List.of(7L, 8L, 7L), "local")
                        : new Reply.Damaged(List.of(9L), "")
                : null;
        assertThat(get(fs.damaged())).containsExactlyInAnyOrder(7L, 8L, 9L);
        assertThat(fixture.asked)
                .containsExactly(
                        new ReadOperation.ListDamaged(FsPath.ROOT, ""),
                        new ReadOperation.ListDamaged(FsPath.ROOT, "local"));
    }

    @Test
    void shouldCloseAFileInThePlaceOfItsWriter() {
        Reply.Leased leased = new Reply.Leased(attributes(ID, 7, INode.Content.WRITING), DIRECTORY, 12, 3, null);
        fixture.hook = operation -> operation instanceof ReadOperation.Stat
                ? new Reply.Status(attributes(ID, 7, INode.Content.WRITING))
                : operation instanceof BlockOperation.TakeLease ? leased : null;
        assertThat(get(fs.recover(PATH))).isTrue();
        assertThat(fixture.asked)
                .containsExactly(
                        new ReadOperation.Stat(PATH),
                        new BlockOperation.TakeLease(PATH, true),
                        new BlockOperation.CompleteBlocks(PATH, new OpenFile(ID, DIRECTORY), 12, 3, null));
    }

    @Test
    void shouldCloseNoFileThatNobodyWrites() {
        fixture.hook = operation -> new Reply.Status(attributes(ID, 7, INode.Content.BLOCKS));
        assertThat(get(fs.recover(PATH))).isFalse();
        assertThat(fixture.asked).hasSize(1);

        fixture.hook = operation -> operation instanceof ReadOperation.Stat
                ? new Reply.Status(attributes(ID, 0, INode.Content.NONE))
                : new Reply.Leased(attributes(ID, 0, INode.Content.BLOCKS), DIRECTORY, 0, 0, null);
        assertThat(get(fs.recover(PATH))).isFalse();
        assertThat(fixture.asked.subList(1, 3))
                .containsExactly(new ReadOperation.Stat(PATH), new BlockOperation.TakeLease(PATH, true));

        INode.Traits traits = new INode.Traits(INode.Kind.DIRECTORY, "a", "g", 0755, 0, 0, INode.Content.NONE);
        fixture.hook = operation -> new Reply.Status(new Attributes("d", 3, traits, 0, 0, 0, 0));
        assertThat(ClientFixture.failure(fs.recover(PATH)).code()).isEqualTo(ErrorCode.IS_A_DIRECTORY);
    }

    @Test
    void shouldPutIntoBlocksWhatIsMovedToTheEndOfAnotherFile() throws Exception {
        boolean[] inBlocks = {false};
        fixture.hook = operation -> {
            if (operation instanceof BlockOperation.Concat) {
                return inBlocks[0] ? null : new Reply.Failure(ErrorCode.NEEDS_DATANODE, "not in blocks");
            }
            if (operation instanceof ReadOperation.Stat stat) {
                return new Reply.Status(
                        attributes(ID, 3, stat.path().equals(OTHER) ? INode.Content.INLINE : INode.Content.BLOCKS));
            }
            if (operation instanceof BlockOperation.TakeLease) {
                return new Reply.Leased(
                        attributes(ID, 3, INode.Content.WRITING), DIRECTORY, 12, 0, new byte[] {1, 2, 3});
            }
            inBlocks[0] |= operation instanceof BlockOperation.CompleteBlocks;
            return null;
        };
        blocking.concat(PATH, List.of(OTHER));
        assertThat(fixture.content()).containsExactly(1, 2, 3);
        assertThat(fixture.asked(BlockOperation.Concat.class)).hasSize(2);
        assertThat(fixture.asked(BlockOperation.TakeLease.class))
                .containsExactly(new BlockOperation.TakeLease(OTHER, false));
    }

    @Test
    void shouldSayWhyFilesCannotBeMovedToTheEndOfAnother() {
        fixture.hook = operation -> operation instanceof BlockOperation.Concat
                ? new Reply.Failure(ErrorCode.NEEDS_DATANODE, "not in blocks")
                : new Reply.Status(attributes(ID, 3, INode.Content.BLOCKS));
        assertThatThrownBy(() -> blocking.concat(PATH, List.of(OTHER)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEEDS_DATANODE));
        fixture.hook = operation -> new Reply.Failure(ErrorCode.NOT_FOUND, "no such file");
        assertThatThrownBy(() -> blocking.concat(PATH, List.of(OTHER)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void shouldRemoveManyPathsByOneMessageUnderIdsThatNoOtherRequestHas() throws Exception {
        Reply refused = new Reply.Failure(ErrorCode.NOT_EMPTY, "not empty");
        fixture.hook = operation -> new Reply.Outcomes(List.of(Reply.Done.YES, refused));
        List<FsPath> paths = List.of(PATH, OTHER);

        assertThat(get(fs.deleteEach(paths))).isEqualTo(List.of(Reply.Done.YES, refused));
        fixture.hook = operation -> new Reply.Failure(ErrorCode.PERMISSION_DENIED, "no");
        assertThat(get(fs.deleteEach(paths)))
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOfSatisfying(
                                Reply.Failure.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED)));
        fixture.hook = operation -> new Reply.Outcomes(List.of(Reply.Done.NO, Reply.Done.NO));
        get(fs.deleteEach(paths));

        List<BulkDelete> asked = fixture.asked(BulkDelete.class);
        assertThat(asked).hasSize(3).extracting(BulkDelete::paths).containsOnly(paths);
        assertThat(asked).extracting(each -> each.first().slot()).containsOnly(1);
        assertThat(asked).extracting(each -> each.first().sequence()).containsExactly(1L, 2L, 1L);
        assertThat(asked.get(1).first().client())
                .isEqualTo(asked.get(0).first().client())
                .isNotEqualTo(asked.get(2).first().client());
        assertThatThrownBy(() -> fs.deleteEach(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldListManyDirectoriesByOneMessageAndLeaveOutWhatDidNotFit() throws Exception {
        Reply page = new Reply.Page(List.of(attributes(ID, 1, INode.Content.INLINE)), false);
        Reply refused = new Reply.Failure(ErrorCode.NOT_FOUND, "no such directory");
        fixture.hook = operation -> new Reply.Outcomes(List.of(page, refused));
        FsPath third = PATH.child("third");

        assertThat(get(fs.listEach(List.of(PATH, OTHER, third), 100))).isEqualTo(Map.of(PATH, page, OTHER, refused));
        fixture.hook = operation -> new Reply.Failure(ErrorCode.PERMISSION_DENIED, "no");
        assertThat(get(fs.listEach(List.of(PATH, OTHER), 100)).values())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOfSatisfying(
                                Reply.Failure.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED)));

        assertThat(fixture.asked(ReadOperation.ListEach.class))
                .containsExactly(
                        new ReadOperation.ListEach(List.of(PATH, OTHER, third), 100),
                        new ReadOperation.ListEach(List.of(PATH, OTHER), 100));
        assertThatThrownBy(() -> fs.listEach(List.of(), 100)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldAskNothingAfterTheLastPage() {
        fixture.hook = operation -> new Reply.Page(List.of(attributes(ID, 1, INode.Content.INLINE)), false);
        Lister lister = fs.lister(PATH, 10);
        assertThat(lister.isAtEnd()).isFalse();
        assertThat(get(lister.next())).hasSize(1);
        assertThat(lister.isAtEnd()).isTrue();
        assertThat(get(lister.next())).isEmpty();
        assertThat(fixture.asked).hasSize(1);

        // A page without entries is the last one, whatever it says.
        fixture.hook = operation -> new Reply.Page(List.of(), true);
        Lister empty = fs.lister(PATH, 10);
        assertThat(get(empty.next())).isEmpty();
        assertThat(empty.isAtEnd()).isTrue();
        assertThat(blocking.list(PATH).hasNext()).isFalse();
        assertThatThrownBy(() -> blocking.list(PATH).next()).isInstanceOf(NoSuchElementException.class);
    }
}
