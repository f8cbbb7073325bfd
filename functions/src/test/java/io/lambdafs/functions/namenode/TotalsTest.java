package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.TotalsState;
import io.lambdafs.store.format.Upgrade;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The effect of each write on the totals of all directories above it (PROTOCOL: T1, T2, T3). */
class TotalsTest extends BlockFileCase {
    private static final FsPath D = FsPath.of("/d");
    private static final FsPath E = FsPath.of("/e");

    private void totals(FsPath path, long files, long directories, long bytes, long space) {
        assertThat(cluster.call(new ReadOperation.GetTotals(path)))
                .as("%s", path)
                .isEqualTo(new Reply.Totals(files, directories, bytes, space));
    }

    private void mkdirs(FsPath path) {
        done(new NamespaceOperation.Mkdirs(path, 0755, true));
    }

    private void rename(FsPath from, FsPath to, RenameMode mode) {
        done(new NamespaceOperation.Rename(from, to, mode));
    }

    private void delete(FsPath path) {
        done(new NamespaceOperation.Delete(path, true));
    }

    @AfterEach
    void recount() {
        cluster.advance(Duration.ofSeconds(12));
        assertThat(cluster.inspect().problems()).isEmpty();
    }

    @Test
    void shouldCountWhatIsMadeAndRemoved() {
        totals(FsPath.ROOT, 0, 1, 0, 0);
        mkdirs(FsPath.of("/d/a/b"));
        create(FsPath.of("/d/a/x/y/f"), BLOCK_SIZE, (byte) 1, (byte) 2);
        totals(D, 1, 5, 2, 2);
        totals(FsPath.of("/d/a"), 1, 4, 2, 2);
        totals(FsPath.of("/d/a/b"), 0, 1, 0, 0);
        totals(FsPath.of("/d/a/x/y/f"), 1, 0, 2, 2);
        done(new FileOperation.Create(
                FsPath.of("/d/a/x/y/f"), 0644, true, true, 3, BLOCK_SIZE, new byte[] {1, 2, 3}, null));
        totals(D, 1, 5, 3, 9);
        delete(FsPath.of("/d/a/x/y/f"));
        delete(FsPath.of("/d/a/b"));
        totals(D, 0, 4, 0, 0);
        totals(FsPath.ROOT, 0, 5, 0, 0);
    }

    @Test
    void shouldFollowTheLengthOfAFile() {
        OpenFile file = write(PATH, 100, 60);
        totals(D, 1, 1, 160, 160);
        done(new BlockOperation.Truncate(PATH, 130));
        totals(D, 1, 1, 130, 130);
        done(new AttributeOperation.SetReplication(PATH, 4));
        totals(FsPath.ROOT, 1, 2, 130, 520);
        write(FsPath.of("/d/more"), 50);
        totals(D, 2, 1, 180, 570);
        done(new BlockOperation.Concat(PATH, List.of(FsPath.of("/d/more"))));
        totals(D, 1, 1, 180, 720);
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.RenewLease(PATH, file, 1));
    }

    @Test
    void shouldCountWhatIsWrittenWhereTheFileIsNow() {
        mkdirs(E);
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        Reply added = cluster.call(new BlockOperation.AddBlock(PATH, file, 0, 0, null));
        rename(D, FsPath.of("/e/d"), RenameMode.INTO);
        done(new BlockOperation.CompleteBlocks(PATH, file, 1, 1, written(((Reply.BlockAdded) added).block(), 70)));
        totals(E, 1, 2, 70, 70);
        totals(FsPath.ROOT, 1, 3, 70, 70);
    }

    @Test
    void shouldTakeTotalsAlongWithADirectory() {
        mkdirs(FsPath.of("/d/a/b"));
        create(FsPath.of("/d/a/b/f"), BLOCK_SIZE, (byte) 1);
        create(FsPath.of("/d/g"), BLOCK_SIZE, (byte) 1, (byte) 2);
        mkdirs(E);
        rename(FsPath.of("/d/a"), E, RenameMode.INTO);
        totals(D, 1, 1, 2, 2);
        totals(E, 1, 3, 1, 1);
        totals(FsPath.of("/e/a"), 1, 2, 1, 1);
        rename(FsPath.of("/e/a/b"), FsPath.of("/e/b"), RenameMode.INTO);
        totals(E, 1, 3, 1, 1);
        totals(FsPath.of("/e/a"), 0, 1, 0, 0);
        rename(FsPath.of("/e/b"), FsPath.of("/e/a"), RenameMode.OVERWRITE);
        totals(E, 1, 2, 1, 1);
        rename(FsPath.of("/d/g"), FsPath.of("/e/a/f"), RenameMode.OVERWRITE);
        totals(E, 1, 2, 2, 2);
        totals(D, 0, 1, 0, 0);
        totals(FsPath.ROOT, 1, 4, 2, 2);
    }

    @Test
    void shouldForgetATreeAtOnceAndOnce() {
        for (int i = 0; i < 20; i++) {
            create(FsPath.of("/d/t/s" + i % 3 + "/f" + i), BLOCK_SIZE, (byte) 1);
        }
        totals(D, 20, 5, 20, 20);
        delete(FsPath.of("/d/t"));
        totals(D, 0, 1, 0, 0);
        cluster.advance(Duration.ofSeconds(30));
        assertThat(cluster.wholeStore().inodes()).isEqualTo(2);
        totals(D, 0, 1, 0, 0);
        assertThat(cluster.rows())
                .filteredOn(row -> row.key().table().name().equals("directory_totals"))
                .extracting(row -> row.key().int64(0))
                .hasSize(2)
                .contains(INode.ROOT_ID);
    }

    @Test
    void shouldTellWhoMayListTheDirectoryAndNobodyElse() {
        mkdirs(FsPath.of("/d/closed"));
        done(new AttributeOperation.SetPermission(FsPath.of("/d/closed"), 0700));
        ReadOperation.GetTotals open = new ReadOperation.GetTotals(D);
        assertThat(cluster.owner(open).call(OTHER, open)).isEqualTo(new Reply.Totals(0, 2, 0, 0));
        ReadOperation.GetTotals closed = new ReadOperation.GetTotals(FsPath.of("/d/closed"));
        assertThat(codeOf(cluster.owner(closed).call(OTHER, closed))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        refused(ErrorCode.NOT_FOUND, new ReadOperation.GetTotals(FsPath.of("/d/none")));
    }

    @Test
    void shouldCountAStoreOfAnEarlierLevelWhenItIsRaised() {
        put(FormatLevel.RECEIPTS.row());
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Delete(TotalsState.KEY)), Long.MAX_VALUE));
        create(FsPath.of("/d/a/f"), BLOCK_SIZE, (byte) 1);
        refused(ErrorCode.UNSUPPORTED, new ReadOperation.GetTotals(D));
        assertThat(cluster.rows()).extracting(Row::key).doesNotContain(Rows.totalsKey(INode.ROOT_ID));

        cluster.await(Upgrade.raise(cluster.engine));
        totals(D, 1, 2, 1, 1);
        create(FsPath.of("/d/a/g"), BLOCK_SIZE, (byte) 1);
        totals(D, 2, 2, 2, 2);
    }
}
