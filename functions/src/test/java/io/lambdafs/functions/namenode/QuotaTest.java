package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.AttributeOperation.SetQuota;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.TotalsState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quotas of directories, as HDFS has them (PROTOCOL: Q1, Q2, Q3, Q4, Q5). */
class QuotaTest extends BlockFileCase {
    private static final FsPath D = FsPath.of("/d");
    private static final FsPath E = FsPath.of("/e");

    @BeforeEach
    void makeDirectories() {
        mkdirs(D);
        mkdirs(E);
    }

    @AfterEach
    void recount() {
        cluster.advance(Duration.ofSeconds(12));
        assertThat(cluster.inspect().problems()).isEmpty();
        assertThat(cluster.wholeStore()).isNotNull();
    }

    private void mkdirs(FsPath path) {
        done(new NamespaceOperation.Mkdirs(path, 0755, true));
    }

    private void quota(FsPath path, long names, long space) {
        done(new SetQuota(path, names, space));
    }

    private Reply file(FsPath path, int replication, int bytes) {
        return cluster.call(
                new FileOperation.Create(path, 0644, true, true, replication, BLOCK_SIZE, new byte[bytes], null));
    }

    private Reply.Totals usage(FsPath path) {
        return (Reply.Totals) cluster.call(new ReadOperation.GetTotals(path, true));
    }

    private void full(FsPath at, long quota, long count, Reply reply) {
        assertThat(reply)
                .isEqualTo(new Reply.Failure(
                        ErrorCode.NAMES_QUOTA_EXCEEDED,
                        "The NameSpace quota (directories and files) of directory " + at + " is exceeded: quota="
                                + quota + " file count=" + count));
    }

    private void fullOfBytes(String message, Reply reply) {
        assertThat(reply).isEqualTo(new Reply.Failure(ErrorCode.SPACE_QUOTA_EXCEEDED, message));
    }

    @Test
    void shouldCountTheDirectoryItself() {
        quota(D, 1, Quota.KEEP);
        full(D, 1, 2, cluster.call(new NamespaceOperation.Mkdirs(D.child("a"), 0755, true)));
        quota(D, 3, Quota.KEEP);
        mkdirs(D.child("a"));
        assertThat(file(D.child("f"), 1, 1)).isInstanceOf(Reply.Status.class);
        full(D, 3, 4, file(D.child("a").child("g"), 1, 1));
        done(new NamespaceOperation.Delete(D.child("a"), true));
        assertThat(file(D.child("g"), 1, 1)).isInstanceOf(Reply.Status.class);
        assertThat(file(D.child("g"), 1, 2)).isInstanceOf(Reply.Status.class);
        assertThat(usage(D)).isEqualTo(new Reply.Totals(2, 1, 3, 3, new Quota(3, Quota.NONE)));
    }

    @Test
    void shouldLimitBytesTimesReplication() {
        quota(D, Quota.KEEP, 2_560);
        assertThat(file(D.child("f"), 2, 1_024)).isInstanceOf(Reply.Status.class);
        fullOfBytes(
                "The DiskSpace quota of /d is exceeded: quota = 2560 B = 2.50 KB but diskspace consumed = 3072 B = 3 KB",
                file(D.child("g"), 1, 1_024));
        refused(ErrorCode.SPACE_QUOTA_EXCEEDED, new AttributeOperation.SetReplication(D.child("f"), 3));
        done(new AttributeOperation.SetReplication(D.child("f"), 1));
        assertThat(file(D.child("g"), 1, 1_024)).isInstanceOf(Reply.Status.class);
        assertThat(usage(D)).isEqualTo(new Reply.Totals(2, 1, 2_048, 2_048, new Quota(Quota.NONE, 2_560)));
    }

    @Test
    void shouldAdmitNothingMoreBeyondALimitBelowWhatIsThere() {
        assertThat(file(D.child("f"), 2, 10)).isInstanceOf(Reply.Status.class);
        assertThat(file(D.child("g"), 2, 10)).isInstanceOf(Reply.Status.class);
        quota(D, 1, 5);
        full(D, 1, 4, file(D.child("h"), 1, 0));
        refused(ErrorCode.SPACE_QUOTA_EXCEEDED, new AttributeOperation.SetReplication(D.child("g"), 3));
        assertThat(file(D.child("g"), 1, 3)).isInstanceOf(Reply.Status.class);
        done(new AttributeOperation.SetPermission(D.child("g"), 0600));
        done(new NamespaceOperation.Rename(D.child("f"), D.child("i"), RenameMode.STRICT));
        done(new NamespaceOperation.Delete(D.child("i"), false));
        quota(D, Quota.NONE, Quota.KEEP);
        assertThat(file(D.child("h"), 1, 0)).isInstanceOf(Reply.Status.class);
        assertThat(usage(D).quota()).isEqualTo(new Quota(Quota.NONE, 5));
        quota(D, Quota.KEEP, Quota.NONE);
        assertThat(file(D.child("j"), 3, 50)).isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldJudgeByAllDirectoriesAbove() {
        mkdirs(D.child("in"));
        quota(D, 4, Quota.NONE);
        quota(D.child("in"), 9, Quota.NONE);
        quota(FsPath.ROOT, 6, Quota.KEEP);
        assertThat(file(FsPath.of("/d/in/f"), 1, 0)).isInstanceOf(Reply.Status.class);
        assertThat(file(FsPath.of("/d/in/g"), 1, 0)).isInstanceOf(Reply.Status.class);
        full(D, 4, 5, file(FsPath.of("/d/in/h"), 1, 0));
        full(FsPath.ROOT, 6, 7, file(E.child("f"), 1, 0));
        quota(D.child("in"), 2, Quota.NONE);
        full(D.child("in"), 2, 4, file(FsPath.of("/d/in/h"), 1, 0));
        refused(ErrorCode.INVALID_ARGUMENT, new SetQuota(FsPath.ROOT, Quota.NONE, Quota.KEEP));
        assertThat(usage(FsPath.ROOT).quota()).isEqualTo(new Quota(6, Quota.NONE));
    }

    @Test
    void shouldMakeAllDirectoriesOrNone() {
        quota(D, 3, Quota.NONE);
        full(D, 3, 4, cluster.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/a/b/c"), 0755, true)));
        refused(ErrorCode.NOT_FOUND, new ReadOperation.Stat(D.child("a")));
        mkdirs(FsPath.of("/d/a/b"));
    }

    @Test
    void shouldChargeWhatMovesWhereItGoes() {
        quota(D, 4, 100);
        file(FsPath.of("/e/t/f"), 2, 20);
        file(FsPath.of("/e/t/g"), 2, 20);
        file(E.child("big"), 3, 40);
        mkdirs(D.child("a"));
        Operation<?> move = new NamespaceOperation.Rename(FsPath.of("/e/t"), D, RenameMode.INTO);
        full(D, 4, 5, cluster.call(move));
        fullOfBytes(
                "The DiskSpace quota of /d is exceeded: quota = 100 B = 100 B but diskspace consumed = 120 B = 120 B",
                cluster.call(new NamespaceOperation.Rename(E.child("big"), D.child("b"), RenameMode.STRICT)));
        done(new NamespaceOperation.Delete(D.child("a"), true));
        done(new NamespaceOperation.Rename(FsPath.of("/e/t"), D, RenameMode.INTO));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(2, 2, 40, 80, new Quota(4, 100)));
        done(new NamespaceOperation.Rename(FsPath.of("/d/t"), FsPath.of("/d/u"), RenameMode.STRICT));
        full(D, 4, 5, file(D.child("h"), 1, 0));
        done(new NamespaceOperation.Rename(FsPath.of("/d/u"), E, RenameMode.INTO));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(0, 1, 0, 0, new Quota(4, 100)));
        done(new NamespaceOperation.Rename(FsPath.of("/e/u/f"), D.child("f"), RenameMode.STRICT));
    }

    @Test
    void shouldTakeAQuotaAlongWithItsDirectory() {
        mkdirs(D.child("q"));
        quota(D.child("q"), 2, Quota.NONE);
        done(new NamespaceOperation.Rename(D.child("q"), E.child("q"), RenameMode.STRICT));
        assertThat(file(FsPath.of("/e/q/f"), 1, 0)).isInstanceOf(Reply.Status.class);
        full(E.child("q"), 2, 3, file(FsPath.of("/e/q/g"), 1, 0));
        done(new NamespaceOperation.Delete(E.child("q"), true));
        mkdirs(E.child("q"));
        assertThat(usage(E.child("q")).quota()).isEqualTo(Quota.UNLIMITED);
    }

    @Test
    void shouldUnchargeADetachedTreeAtOnce() {
        quota(D, 8, Quota.NONE);
        for (int i = 0; i < 6; i++) {
            file(FsPath.of("/d/t/f" + i), 1, 1);
        }
        full(D, 8, 9, file(D.child("g"), 1, 0));
        done(new NamespaceOperation.Delete(FsPath.of("/d/t"), true));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(0, 1, 0, 0, new Quota(8, Quota.NONE)));
        for (int i = 0; i < 7; i++) {
            assertThat(file(D.child("g" + i), 1, 0)).isInstanceOf(Reply.Status.class);
        }
    }

    private LocatedBlock add(FsPath path, OpenFile file) {
        return ((Reply.BlockAdded) cluster.call(new BlockOperation.AddBlock(path, file, 0, 0, null))).block();
    }

    private OpenFile open(FsPath path) {
        return ((Reply.Status) create(path, BLOCK_SIZE)).file();
    }

    @Test
    void shouldChargeAnOpenBlockWholeAndReturnTheRest() {
        quota(D, Quota.NONE, 250);
        OpenFile first = open(D.child("f"));
        LocatedBlock block = add(D.child("f"), first);
        assertThat(usage(D)).isEqualTo(new Reply.Totals(1, 1, 0, 100, new Quota(Quota.NONE, 250)));
        OpenFile second = open(D.child("g"));
        add(D.child("g"), second);
        OpenFile third = open(D.child("h"));
        fullOfBytes(
                "The DiskSpace quota of /d is exceeded: quota = 250 B = 250 B but diskspace consumed = 300 B = 300 B",
                cluster.call(new BlockOperation.AddBlock(D.child("h"), third, 0, 0, null)));
        done(new BlockOperation.CompleteBlocks(D.child("f"), first, 1, 1, written(block, 40)));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(3, 1, 40, 140, new Quota(Quota.NONE, 250)));
        add(D.child("h"), third);
        done(new BlockOperation.Abandon(D.child("g"), second, 1));
        done(new BlockOperation.Truncate(D.child("f"), 10));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(2, 1, 10, 110, new Quota(Quota.NONE, 250)));
        cluster.advance(Duration.ofMinutes(22));
        done(new BlockOperation.RecoverLease(D.child("h"), third));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(2, 1, 10, 10, new Quota(Quota.NONE, 250)));
    }

    @Test
    void shouldBeginWithTheTruthWhereFilesAreOpen() {
        OpenFile file = open(D.child("f"));
        LocatedBlock block = add(D.child("f"), file);
        quota(D, 2, 150);
        assertThat(usage(D)).isEqualTo(new Reply.Totals(1, 1, 0, 100, new Quota(2, 150)));
        Reply next = cluster.call(new BlockOperation.AddBlock(D.child("f"), file, 1, 1, written(block, 60)));
        fullOfBytes(
                "The DiskSpace quota of /d is exceeded: quota = 150 B = 150 B but diskspace consumed = 160 B = 160 B",
                next);
        quota(D, Quota.KEEP, 160);
        Reply.BlockAdded added = (Reply.BlockAdded)
                cluster.call(new BlockOperation.AddBlock(D.child("f"), file, 1, 1, written(block, 60)));
        done(new BlockOperation.CompleteBlocks(D.child("f"), file, 1, 2, written(added.block(), 100)));
        assertThat(usage(D)).isEqualTo(new Reply.Totals(1, 1, 160, 160, new Quota(2, 160)));
    }

    @Test
    void shouldBeSetByWhomAndWhereHdfsAllowsIt() {
        file(D.child("f"), 1, 0);
        SetQuota allowed = new SetQuota(D, 5, 5);
        assertThat(cluster.owner(allowed).call(OTHER, allowed))
                .isEqualTo(new Reply.Failure(
                        ErrorCode.PERMISSION_DENIED, "Access denied for user u1. Superuser privilege is required"));
        refused(ErrorCode.NOT_A_DIRECTORY, new SetQuota(D.child("f"), 5, 5));
        refused(ErrorCode.NOT_FOUND, new SetQuota(D.child("none"), 5, 5));
        assertThat(usage(D).quota()).isEqualTo(Quota.UNLIMITED);
    }

    @Test
    void shouldHaveNoneBelowItsFormatLevelNorWithoutTotals() {
        put(FormatLevel.TOTALS.row());
        refused(ErrorCode.UNSUPPORTED, new SetQuota(D, 5, 5));
        OpenFile file = open(D.child("f"));
        add(D.child("f"), file);
        assertThat(usage(D)).isEqualTo(new Reply.Totals(1, 1, 0, 0));
        done(new BlockOperation.Abandon(D.child("f"), file, 1));
        put(FormatLevel.NEWEST.row());
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Delete(TotalsState.KEY)), Long.MAX_VALUE));
        refused(ErrorCode.UNSUPPORTED, new SetQuota(D, 5, 5));
        put(TotalsState.EXACT);
    }
}
