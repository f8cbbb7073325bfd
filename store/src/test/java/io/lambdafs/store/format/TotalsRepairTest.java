package io.lambdafs.store.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tree without totals, with wrong ones, and with changes while they are counted. */
class TotalsRepairTest {
    private static final long A = 1_001;
    private static final long B = 1_002;

    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);

    private <T> T done(CompletionStage<T> stage) {
        scheduler.run();
        try {
            return stage.toCompletableFuture().join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    private void commit(Mutation... mutations) {
        done(store.begin(0).commit(List.of(mutations), Long.MAX_VALUE));
    }

    private static Mutation put(Row row) {
        return new Mutation.Put(row);
    }

    private static INode directory(long parent, String name, long id) {
        return INode.directory(parent, name, id, "root", "root", 0755, 1);
    }

    private static INode file(long parent, String name, long id, long size) {
        INode.Traits traits = new INode.Traits(INode.Kind.FILE, "u", "g", 0644, 3, 1, INode.Content.ABSENT);
        return new INode(parent, name, id, traits, size, 1, 1, 0);
    }

    @BeforeEach
    void makeTree() {
        commit(
                put(FormatLevel.NEWEST.row()),
                put(Rows.of(directory(0, "", INode.ROOT_ID))),
                put(Rows.of(directory(INode.ROOT_ID, "a", A))),
                put(Rows.of(directory(A, "b", B))),
                put(Rows.of(file(B, "f", 1_003, 5))),
                put(Rows.of(file(B, "g", 1_004, 7))),
                put(Rows.of(directory(INode.RECLAIM_ID, "1005", 1_005))),
                put(Rows.of(file(1_005, "gone", 1_006, 100))));
    }

    private DirectoryTotals totals(long id) {
        return Rows.totals(done(store.begin(0).readAndEnd(List.of(Read.unlocked(Rows.totalsKey(id))), 0))
                .get(0));
    }

    private void assertExact() {
        assertThat(store.rows()).contains(TotalsState.EXACT);
        assertThat(Fsck.check(store.rows()).problems()).noneMatch(each -> each.contains("totals"));
        assertThat(store.openTransactions()).isZero();
    }

    @Test
    void shouldCountWhatNobodyHasCounted() {
        done(TotalsRepair.run(store));

        assertExact();
        assertThat(totals(B)).isEqualTo(new DirectoryTotals(2, 0, 12, 36));
        assertThat(totals(A)).isEqualTo(new DirectoryTotals(2, 1, 12, 36));
        assertThat(totals(INode.ROOT_ID)).isEqualTo(new DirectoryTotals(2, 2, 12, 36));
        assertThat(totals(1_005)).as("a tree that waits for reclaim").isEqualTo(DirectoryTotals.NONE);
    }

    @Test
    void shouldMendOnceHoweverOftenItIsRepeated() {
        done(TotalsRepair.run(store));
        commit(
                Rows.totalsChanged(A, new DirectoryTotals(-5, 2, 1, -9)),
                put(new Row(Rows.totalsKey(4_711), 1L, 1L, 1L, 1L)));

        done(TotalsRepair.run(store));
        done(TotalsRepair.run(store));

        assertExact();
        assertThat(totals(A)).isEqualTo(new DirectoryTotals(2, 1, 12, 36));
    }

    @Test
    void shouldAddToWhatIsWrittenMeanwhile() {
        repairWhile(
                put(Rows.of(file(B, "h", 1_007, 1))),
                Rows.totalsChanged(B, new DirectoryTotals(1, 0, 1, 3)),
                Rows.totalsChanged(A, new DirectoryTotals(1, 0, 1, 3)),
                Rows.totalsChanged(INode.ROOT_ID, new DirectoryTotals(1, 0, 1, 3)));

        assertExact();
        assertThat(totals(A)).isEqualTo(new DirectoryTotals(3, 1, 13, 39));
    }

    @Test
    void shouldCountAgainWhereADirectoryWasMovedMeanwhile() {
        repairWhile(
                new Mutation.Delete(Rows.inodeKey(A, "b")),
                put(Rows.of(directory(INode.ROOT_ID, "b", B))),
                Rows.totalsChanged(A, new DirectoryTotals(0, -1, 0, 0)),
                TotalsState.moved());

        assertExact();
        assertThat(totals(A)).isEqualTo(DirectoryTotals.NONE);
        assertThat(totals(INode.ROOT_ID)).isEqualTo(new DirectoryTotals(2, 2, 12, 36));
    }

    @Test
    void shouldRemoveWhatItAddedToADirectoryThatIsGone() {
        repairWhile(
                new Mutation.Delete(Rows.inodeKey(A, "b")),
                put(Rows.detached(directory(A, "b", B))),
                Rows.totalsChanged(A, new DirectoryTotals(0, -1, 0, 0)),
                Rows.totalsChanged(INode.ROOT_ID, new DirectoryTotals(0, -1, 0, 0)),
                TotalsState.moved());

        assertExact();
        assertThat(totals(INode.ROOT_ID)).isEqualTo(new DirectoryTotals(0, 1, 0, 0));
    }

    /** Repairs, with a commit between the snapshot that counts and what is added for it. */
    private void repairWhile(Mutation... meanwhile) {
        int[] snapshots = {0};
        done(TotalsRepair.run(new SnapshotWatch(store, () -> {
            if (++snapshots[0] == 2) {
                commit(meanwhile);
            }
        })));
        assertThat(snapshots[0]).isGreaterThanOrEqualTo(2);
    }

    /** Tells when a snapshot has been opened. */
    private record SnapshotWatch(MetadataStore inner, Runnable opened) implements MetadataStore {
        @Override
        public StoreTransaction begin(long epoch) {
            return inner.begin(epoch);
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            return inner.fence(epoch);
        }

        @Override
        public CompletionStage<String> openSnapshot() {
            return inner.openSnapshot().thenApply(name -> {
                opened.run();
                return name;
            });
        }

        @Override
        public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
            return inner.scanSnapshot(scan);
        }

        @Override
        public CompletionStage<Void> closeSnapshot(String snapshot) {
            return inner.closeSnapshot(snapshot);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @Test
    void shouldGiveUpWhereSomebodyElseCounts() {
        assertThatThrownBy(() -> repairWhile(put(TotalsState.countedBy("somebody"))))
                .hasMessageContaining("counted by somebody else");
    }

    @Test
    void shouldTellWhoCounts() {
        assertThatThrownBy(() -> TotalsState.checkExact(TotalsState.countedBy("me")))
                .hasMessageContaining("counted by me", "lambdafs upgrade --finalize");
    }
}
