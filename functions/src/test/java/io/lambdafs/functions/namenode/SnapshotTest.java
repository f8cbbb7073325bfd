package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of directories, as HDFS has them (PROTOCOL: V1, V2, V3, V4, V5, V6). */
class SnapshotTest extends BlockFileCase {
    private static final FsPath D = FsPath.of("/d");
    private static final FsPath S = FsPath.of("/d/.snapshot/s");
    private static final FsPath E = FsPath.of("/e");

    @BeforeEach
    void makeDirectories() {
        mkdirs(D);
        mkdirs(E);
        mkdirs(D.child("a"));
        create(D.child("f"), BLOCK_SIZE, (byte) 1, (byte) 2);
        create(FsPath.of("/d/a/g"), BLOCK_SIZE, (byte) 3);
        snapshots(D, Action.ALLOW, "");
    }

    @AfterEach
    void check() {
        cluster.advance(Duration.ofSeconds(30));
        assertThat(cluster.inspect().problems()).isEmpty();
        assertThat(cluster.inspect().unfinished()).isEmpty();
    }

    private void mkdirs(FsPath path) {
        done(new NamespaceOperation.Mkdirs(path, 0755, true));
    }

    private void snapshots(FsPath path, Action action, String name) {
        done(new ChangeSnapshots(path, action, name, ""));
    }

    private void refused(String why, Operation<?> operation) {
        Reply reply = cluster.call(operation);
        assertThat(reply).isInstanceOf(Reply.Failure.class);
        assertThat(((Reply.Failure) reply).message()).isEqualTo(why);
    }

    private List<String> list(FsPath path) {
        return ((Reply.Page) cluster.call(new ReadOperation.ListPage(path, "", 100)))
                .entries().stream().map(Attributes::name).toList();
    }

    private long kept() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.VERSIONS)
                        || row.key().table().equals(Schema.DIRECTORY_VERSIONS)
                        || row.key().table().equals(Schema.KEPT))
                .count();
    }

    @Test
    void shouldSeeWhatWasThere() {
        cluster.advance(Duration.ofSeconds(1));
        snapshots(D, Action.CREATE, "s");
        long made = stat(S).mtime();
        cluster.advance(Duration.ofSeconds(1));
        create(D.child("new"), BLOCK_SIZE, (byte) 9);
        cluster.call(new FileOperation.Create(D.child("f"), 0600, true, true, 1, BLOCK_SIZE, new byte[] {7}, null));
        done(new NamespaceOperation.Rename(D.child("a"), E.child("b"), RenameMode.STRICT));
        done(new NamespaceOperation.Delete(FsPath.of("/e/b/g"), false));
        create(FsPath.of("/e/b/h"), BLOCK_SIZE, (byte) 5);

        assertThat(list(D)).containsExactly("f", "new");
        assertThat(list(D.child(".snapshot"))).containsExactly("s");
        assertThat(list(S)).containsExactly("a", "f");
        assertThat(list(S.child("a"))).containsExactly("g");
        assertThat(read(S.child("f")).content()).containsExactly(1, 2);
        assertThat(read(FsPath.of("/d/.snapshot/s/a/g")).content()).containsExactly(3);
        assertThat(stat(S).mtime()).isEqualTo(made).isLessThan(stat(D).mtime());
        assertThat(stat(S).children()).isEqualTo(2);
        assertThat(stat(S.child("a")).children()).isEqualTo(1);
        assertThat(cluster.call(new ReadOperation.GetTotals(S))).isEqualTo(new Reply.Totals(2, 2, 3, 3));
        assertThat(codeOf(cluster.call(new ReadOperation.Stat(S.child("new"))))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(
                        cluster.call(new ReadOperation.Stat(D.child(".snapshot").child("none")))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(cluster.call(new ReadOperation.Stat(E.child(".snapshot")))))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void shouldSeeWhatWasRemoved() {
        write(FsPath.of("/d/a/blocks"), 100, 50);
        snapshots(D, Action.CREATE, "s");
        done(new NamespaceOperation.Delete(D.child("a"), true));
        done(new NamespaceOperation.Delete(D.child("f"), false));
        cluster.advance(Duration.ofSeconds(20));

        assertThat(list(D)).isEmpty();
        assertThat(list(S)).containsExactly("a", "f");
        assertThat(list(S.child("a"))).containsExactly("blocks", "g");
        assertThat(read(FsPath.of("/d/.snapshot/s/a/g")).content()).containsExactly(3);
        assertThat(read(FsPath.of("/d/.snapshot/s/a/blocks")).blocks()).hasSize(2);
        assertThat(stat(S.child("a")).children()).isEqualTo(2);
        assertThat(cluster.call(new ReadOperation.GetTotals(S))).isEqualTo(new Reply.Totals(3, 2, 153, 153));
        assertThat(cluster.rows()).noneMatch(row -> row.key().table().equals(Schema.INVALID_BLOCKS));

        snapshots(D, Action.DELETE, "s");
        cluster.advance(Duration.ofSeconds(30));
        assertThat(kept()).isZero();
        assertThat(cluster.rows().stream().filter(row -> row.key().table().equals(Schema.INVALID_BLOCKS)))
                .hasSize(2);
        assertThat(cluster.rows())
                .noneMatch(row -> row.key().table().equals(Schema.SMALL_FILES)
                        || row.key().table().equals(Schema.HELD_FILES)
                        || row.key().table().equals(Schema.BLOCKS));
    }

    @Test
    void shouldKeepForEachSnapshotWhatItSees() {
        snapshots(D, Action.CREATE, "s");
        done(new AttributeOperation.SetPermission(D.child("f"), 0600));
        snapshots(D, Action.CREATE, "t");
        done(new AttributeOperation.SetPermission(D.child("f"), 0640));
        snapshots(D, Action.CREATE, "u");
        done(new AttributeOperation.SetPermission(D.child("f"), 0644));
        snapshots(D, Action.DELETE, "t");
        cluster.advance(Duration.ofSeconds(20));

        assertThat(stat(S.child("f")).mode()).isEqualTo(0644);
        assertThat(stat(FsPath.of("/d/.snapshot/u/f")).mode()).isEqualTo(0640);
        done(new ChangeSnapshots(D, Action.RENAME, "u", "v"));
        assertThat(list(D.child(".snapshot"))).containsExactly("s", "v");
        assertThat(stat(FsPath.of("/d/.snapshot/v/f")).mode()).isEqualTo(0640);
        snapshots(D, Action.DELETE, "s");
        cluster.advance(Duration.ofSeconds(20));
        assertThat(stat(FsPath.of("/d/.snapshot/v/f")).mode()).isEqualTo(0640);
        snapshots(D, Action.DELETE, "v");
        cluster.advance(Duration.ofSeconds(20));
        assertThat(kept()).isZero();
    }

    @Test
    void shouldKeepContentThatOnlyGrows() {
        write(D.child("b"), 100, 20);
        snapshots(D, Action.CREATE, "s");
        refused(ErrorCode.SNAPSHOT_REFUSED, new BlockOperation.Truncate(D.child("b"), 50));
        done(new BlockOperation.Truncate(D.child("f"), 1));
        refused(ErrorCode.SNAPSHOT_REFUSED, new BlockOperation.Truncate(D.child("f"), 0));
        assertThat(read(S.child("f")).content()).containsExactly(1, 2);
        assertThat(read(D.child("f")).content()).containsExactly(1);
        snapshots(D, Action.DELETE, "s");
        cluster.advance(Duration.ofSeconds(20));
        done(new BlockOperation.Truncate(D.child("b"), 50));
        done(new BlockOperation.Truncate(D.child("f"), 0));
    }

    private List<String> differences(String from, String to) {
        return ((Reply.Differences) cluster.call(new ReadOperation.DiffSnapshots(D, from, to, "")))
                .all().stream().map(Difference::toString).toList();
    }

    @Test
    void shouldTellWhatIsDifferent() {
        mkdirs(FsPath.of("/d/gone/below"));
        mkdirs(D.child("same"));
        create(FsPath.of("/d/same/x"), BLOCK_SIZE, (byte) 1);
        snapshots(D, Action.CREATE, "s");
        cluster.advance(Duration.ofSeconds(1));
        snapshots(D, Action.CREATE, "t");
        done(new AttributeOperation.SetPermission(D.child("f"), 0600));
        done(new NamespaceOperation.Rename(FsPath.of("/d/a/g"), D.child("h"), RenameMode.STRICT));
        done(new NamespaceOperation.Rename(D.child("a"), D.child("b"), RenameMode.STRICT));
        done(new NamespaceOperation.Delete(D.child("gone"), true));
        mkdirs(FsPath.of("/d/new/er"));
        done(new NamespaceOperation.Rename(FsPath.of("/d/same/x"), E.child("x"), RenameMode.STRICT));
        List<String> expected = List.of(
                "M\t.",
                "M\t./a",
                "R\t./a -> ./b",
                "R\t./a/g -> ./h",
                "M\t./f",
                "-\t./gone",
                "+\t./new",
                "M\t./same",
                "-\t./same/x");
        assertThat(differences("s", "t")).isEmpty();
        assertThat(differences("s", "")).containsExactlyElementsOf(expected);
        snapshots(D, Action.CREATE, "u");
        // What comes after the later one does not count.
        done(new NamespaceOperation.Delete(D.child("b"), true));
        done(new NamespaceOperation.Rename(D.child("h"), E.child("h"), RenameMode.STRICT));
        done(new NamespaceOperation.Rename(D.child("new"), D.child("newer"), RenameMode.STRICT));
        cluster.advance(Duration.ofSeconds(20));
        assertThat(differences("s", "u")).containsExactlyElementsOf(expected);
        snapshots(D, Action.DELETE, "t");
        cluster.advance(Duration.ofSeconds(20));
        assertThat(differences("s", "u")).containsExactlyElementsOf(expected);
        assertThat(differences("u", "s"))
                .containsExactly(
                        "M\t.",
                        "M\t./b",
                        "R\t./b -> ./a",
                        "M\t./f",
                        "+\t./gone",
                        "R\t./h -> ./a/g",
                        "-\t./new",
                        "M\t./same",
                        "+\t./same/x");
        refused(
                "Cannot find the snapshot of directory /d with name none",
                new ReadOperation.DiffSnapshots(D, "s", "none", ""));
    }

    @Test
    void shouldSeeTheCompleteBlocksOfAnOpenFile() {
        FsPath open = D.child("open");
        OpenFile file = ((Reply.Status) create(open, BLOCK_SIZE)).file();
        Reply.BlockAdded first = (Reply.BlockAdded) cluster.call(new BlockOperation.AddBlock(open, file, 0, 0, null));
        Block full = written(first.block(), 100);
        Reply.BlockAdded second = (Reply.BlockAdded) cluster.call(new BlockOperation.AddBlock(open, file, 1, 1, full));
        snapshots(D, Action.CREATE, "s");
        Reply.Opened during = read(S.child("open"));
        done(new BlockOperation.CompleteBlocks(open, file, 1, 2, written(second.block(), 60)));
        Reply.Opened after = read(S.child("open"));

        assertThat(stat(open).size()).isEqualTo(160);
        assertThat(List.of(during, after)).allSatisfy(seen -> {
            assertThat(seen.attributes().size()).isEqualTo(100);
            assertThat(seen.blocks()).hasSize(1);
        });
    }

    @Test
    void shouldRefuseInHdfssWords() {
        refused("Directory is not a snapshottable directory: /e", new ChangeSnapshots(E, Action.CREATE, "s", ""));
        snapshots(D, Action.CREATE, "s");
        refused(
                "Failed to add snapshot: there is already a snapshot with the same name \"s\".",
                new ChangeSnapshots(D, Action.CREATE, "s", ""));
        refused(
                "Cannot delete snapshot t from path /d: the snapshot does not exist.",
                new ChangeSnapshots(D, Action.DELETE, "t", ""));
        refused("The snapshot t does not exist for directory /d", new ChangeSnapshots(D, Action.RENAME, "t", "u"));
        refused(
                "The directory /d has snapshot(s). Please redo the operation after removing all the snapshots.",
                new ChangeSnapshots(D, Action.DISALLOW, "", ""));
        refused(
                "The directory /d cannot be deleted since /d is snapshottable and already has snapshots",
                new NamespaceOperation.Delete(D, true));
        refused(ErrorCode.SNAPSHOT_REFUSED, new NamespaceOperation.Rename(D, E.child("d"), RenameMode.STRICT));
        refused(
                "Nested snapshottable directories not allowed: path=/d/a, the ancestor /d is already a snapshottable directory.",
                new ChangeSnapshots(D.child("a"), Action.ALLOW, "", ""));
        refused(
                "Nested snapshottable directories not allowed: path=/, the subdirectory /d is already a snapshottable directory.",
                new ChangeSnapshots(FsPath.ROOT, Action.ALLOW, "", ""));
        refused(ErrorCode.NOT_A_DIRECTORY, new ChangeSnapshots(D.child("f"), Action.ALLOW, "", ""));
        refused(ErrorCode.NOT_FOUND, new ChangeSnapshots(D.child("none"), Action.ALLOW, "", ""));
    }

    @Test
    void shouldRefuseAllChangesOfASnapshot() {
        snapshots(D, Action.CREATE, "s");
        String readOnly = "Modification on a read-only snapshot is disallowed";
        refused(readOnly, new NamespaceOperation.Delete(S.child("f"), false));
        refused(readOnly, new NamespaceOperation.Rename(S.child("f"), E.child("f"), RenameMode.STRICT));
        refused(readOnly, new AttributeOperation.SetPermission(S.child("f"), 0600));
        refused(readOnly, new BlockOperation.Truncate(S.child("f"), 0));
        assertThat(list(S)).containsExactly("a", "f");
    }

    @Test
    void shouldAllowNoneAfterTheLastIsGone() {
        snapshots(D, Action.CREATE, "s");
        snapshots(D, Action.DELETE, "s");
        snapshots(D, Action.DISALLOW, "");
        refused("Directory is not a snapshottable directory: /d", new ChangeSnapshots(D, Action.CREATE, "s", ""));
        done(new NamespaceOperation.Delete(D, true));
    }

    @Test
    void shouldNeedTheFormatLevel() {
        put(FormatLevel.QUOTAS.row());
        refused(ErrorCode.UNSUPPORTED, new ChangeSnapshots(E, Action.ALLOW, "", ""));
        put(FormatLevel.NEWEST.row());
    }
}
