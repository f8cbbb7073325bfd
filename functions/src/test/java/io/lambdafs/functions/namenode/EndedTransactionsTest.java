package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.housekeeping.ChangeTrimmer;
import io.lambdafs.functions.housekeeping.LeaseSweeper;
import io.lambdafs.functions.housekeeping.ObjectSweeper;
import io.lambdafs.functions.housekeeping.Reclaimer;
import io.lambdafs.functions.housekeeping.SlotSweeper;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.objects.SignedRequest;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.StoredBlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every transaction that asks the store something ends, however its operation does: one that stays keeps its locks, and room at the store. */
@Tag("once")
class EndedTransactionsTest extends BlockFileCase {
    private static final FsPath DIRECTORY = FsPath.of("/d/e");
    private static final FsPath SMALL = FsPath.of("/d/e/small");
    private static final FsPath MISSING = FsPath.of("/d/none");
    private static final String STORE = "s3://bucket/";

    /** Where those began that have not ended. */
    private final Set<Throwable> open = Collections.newSetFromMap(new IdentityHashMap<>());

    EndedTransactionsTest() {
        cluster.build = store -> new WrappedStore(store, WatchedTransaction::new);
    }

    @AfterEach
    void allHaveEnded() {
        assertThat(new ArrayList<>(open)).isEmpty();
    }

    /** Twice: by an instance that knows nothing of the path, and by one that does. */
    private void ends(Operation<?> operation) {
        cluster.start(cluster.placement.of(operation)).call(operation);
        assertThat(new ArrayList<>(open))
                .as("%s where nothing is cached", operation)
                .isEmpty();
        cluster.call(operation);
        assertThat(new ArrayList<>(open)).as("%s", operation).isEmpty();
    }

    private void makeFiles() {
        done(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        create(SMALL, BLOCK_SIZE, (byte) 1);
        write(PATH, 100, 60);
    }

    @Test
    void shouldEndThoseOfReads() {
        makeFiles();
        for (FsPath path : List.of(DIRECTORY, SMALL, PATH, MISSING, SMALL.child("below-a-file"))) {
            ends(new ReadOperation.Stat(path));
            ends(new ReadOperation.ListPage(path, "", 10));
            ends(new ReadOperation.Open(path, 0));
            ends(new ReadOperation.Open(path, 120));
            ends(new ReadOperation.Access(path, 4));
            ends(new ReadOperation.GetXattrs(path, true));
            ends(new ReadOperation.GetAcl(path));
            ends(new ReadOperation.GetStoragePolicy(path));
            ends(new ReadOperation.ListDamaged(path, ""));
            ends(new ReadOperation.GetTotals(path, true));
        }
    }

    @Test
    void shouldEndThoseOfAListingWithDirectories() {
        makeFiles();
        // The cache has the listing, but not the times of what is below its directories.
        ReadOperation.ListPage list = new ReadOperation.ListPage(DIRECTORY.parent(), "", 10);
        ends(list);
        cluster.call(list);
    }

    @Test
    void shouldEndThoseOfAttributes() {
        makeFiles();
        for (FsPath path : List.of(DIRECTORY, SMALL, PATH, MISSING)) {
            ends(new AttributeOperation.SetPermission(path, 0700));
            ends(new AttributeOperation.SetOwner(path, "alice", null));
            ends(new AttributeOperation.SetTimes(path, 5_000, 6_000));
            ends(new AttributeOperation.SetReplication(path, 2));
            ends(new AttributeOperation.SetXattr(path, "user.a", new byte[] {1}, true, false));
            ends(new AttributeOperation.RemoveXattr(path, "user.a"));
            ends(new AttributeOperation.ChangeAcl(path, AclChange.MODIFY, AclEntry.parse("user:bob:r--")));
            ends(new AttributeOperation.SetStoragePolicy(path, "COLD"));
            ends(new AttributeOperation.SetQuota(path, 100, 10_000));
            for (AttributeOperation.ChangeSnapshots.Action action :
                    AttributeOperation.ChangeSnapshots.Action.values()) {
                ends(new AttributeOperation.ChangeSnapshots(path, action, "s", "t"));
            }
        }
    }

    @Test
    void shouldEndThoseOfTheNamespace() {
        makeFiles();
        FsPath other = FsPath.of("/d/other");
        for (Operation.RenameMode mode : Operation.RenameMode.values()) {
            ends(new NamespaceOperation.Rename(MISSING, other, mode));
            ends(new NamespaceOperation.Rename(SMALL, other, mode));
            ends(new NamespaceOperation.Rename(other, SMALL, mode));
            ends(new NamespaceOperation.Rename(DIRECTORY, other, mode));
            ends(new NamespaceOperation.Rename(other, DIRECTORY, mode));
            ends(new NamespaceOperation.Rename(DIRECTORY, DIRECTORY.child("below-itself"), mode));
        }
        ends(new NamespaceOperation.Mkdirs(SMALL, 0755, true));
        ends(new NamespaceOperation.Mkdirs(MISSING.child("a").child("b"), 0755, false));
        ends(new NamespaceOperation.Mkdirs(MISSING.child("a").child("b"), 0755, true));
        ends(new NamespaceOperation.Delete(DIRECTORY, false));
        ends(new NamespaceOperation.Delete(SMALL, false));
        ends(new NamespaceOperation.Delete(FsPath.of("/d"), true));
        ends(new NamespaceOperation.Delete(FsPath.ROOT, true));
    }

    @Test
    void shouldEndThoseOfFilesInBlocks() {
        OpenFile old = write(PATH, 100, 60);
        FsPath second = PATH.parent().child("second");
        write(second, 100, 100);
        ends(new BlockOperation.Truncate(PATH, 130));
        ends(new BlockOperation.Truncate(PATH, 500));
        ends(new BlockOperation.Concat(PATH, List.of(second)));
        ends(new BlockOperation.Concat(PATH, List.of(MISSING)));
        ends(new BlockOperation.RenewLease(PATH, old, 1));
        ends(new BlockOperation.TakeLease(MISSING, false));
        ends(new BlockOperation.TakeLease(PATH, false));
        Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, true));
        OpenFile file = leased.file();
        long generation = leased.generation();
        ends(new BlockOperation.RenewLease(PATH, file, generation));
        Reply added = cluster.call(new BlockOperation.AddBlock(PATH, file, generation, leased.blocks(), null));
        ends(new BlockOperation.AddBlock(PATH, file, generation, leased.blocks(), null));
        ends(new BlockOperation.AddBlock(PATH, file, generation - 1, leased.blocks(), null));
        Block last = written(((Reply.BlockAdded) added).block(), 50);
        ends(new BlockOperation.CompleteBlocks(PATH, file, generation - 1, leased.blocks() + 1, last));
        ends(new BlockOperation.CompleteBlocks(PATH, file, generation, leased.blocks() + 1, last));
        ends(new BlockOperation.RecoverLease(PATH, file));
        ends(new BlockOperation.Abandon(PATH, file, generation));
        OpenFile fresh = ((Reply.Status) create(FsPath.of("/d/fresh"), BLOCK_SIZE)).file();
        ends(new BlockOperation.Abandon(FsPath.of("/d/fresh"), fresh, 0));
    }

    @Test
    void shouldEndThoseOfWhatIsDoneFromTimeToTime() {
        makeFiles();
        create(FsPath.of("/d/left-open"), BLOCK_SIZE);
        cluster.call(new BlockOperation.TakeLease(PATH, false));
        for (int i = 0; i < 70; i++) {
            cluster.advance(Duration.ofMinutes(1));
        }
        done(new NamespaceOperation.Delete(FsPath.of("/d"), true));
        for (int i = 0; i < 70; i++) {
            cluster.advance(Duration.ofMinutes(1));
        }
    }

    @Test
    void shouldEndThoseOfTheChangeLog() {
        cluster.settings = logging();
        makeFiles();
        for (int i = 0; i < 3; i++) {
            cluster.advance(Duration.ofSeconds(11));
        }
    }

    @Test
    void shouldEndThoseOfNumbersThatThereAreNoneOf() {
        IdAllocator numbers =
                new IdAllocator(new WrappedStore(cluster.store, WatchedTransaction::new), "unheard-of", () -> 0);
        assertThatThrownBy(() -> cluster.await(numbers.take(1))).isInstanceOf(FsException.class);
    }

    @Test
    void shouldEndThoseOfAStoreThatIsFormattedAlready() {
        MetadataStore store = new WrappedStore(cluster.store, WatchedTransaction::new);
        assertThat(cluster.await(Formatter.format(store, 3, "root", 1))).isFalse();
        assertThatThrownBy(() -> cluster.await(Formatter.format(store, 4, "root", 1)))
                .hasMessageContaining("3 deployments");
    }

    private static NameNodeSettings logging() {
        return new NameNodeSettings("root", Times.DEFAULT, 64 << 10, 20_000, NameNodeSettings.Reclaim.DEFAULT, 1);
    }

    /** Leaves work for chores, and no instance that does it. */
    private void leaveWork() {
        cluster.settings = logging();
        makeFiles();
        create(FsPath.of("/d/left-open"), BLOCK_SIZE);
        done(new BlockOperation.TakeLease(FsPath.of("/d/left-open"), false));
        List.copyOf(cluster.instances).forEach(cluster::kill);
        cluster.advance(Duration.ofHours(1));
        INode tree = INode.directory(INode.ROOT_ID, "tree", 9_001, "u1", "users", 0755, 1);
        put(Rows.detached(tree));
        put(Rows.of(INode.directory(tree.id(), "below", 9_002, "u1", "users", 0755, 1)));
        put(new Row(Schema.DETACHED_FILES.key(0L, 9_003L), 1L));
        put(new StoredBlock(9_003, 0, new Block(9_004, 1, 100, 7), STORE, "key", StoredBlock.State.WRITTEN).row());
        put(new Row(Rows.writtenKey(9_005), INode.ROOT_ID, "forgotten"));
        put(new Row(Schema.INVALID_BLOCKS.key(STORE, "invalid"), 1L));
    }

    /** An instance that took itself for the leader for longer than its epoch lasted: the store has forgotten the epoch. */
    @Test
    void shouldChangeNothingOnceTheirEpochIsOver() {
        leaveWork();
        List<Row> before = cluster.rows();
        chores(9_999).forEach(chore -> cluster.await(chore.get()));
        assertThat(cluster.rows()).isEqualTo(before);
        allHaveEnded();
    }

    private List<Supplier<CompletionStage<Void>>> chores(long epoch) {
        MetadataStore store = new WrappedStore(cluster.store, WatchedTransaction::new);
        DirectStores direct = new DirectStores(
                Map.of(STORE, (method, key, now, life) -> new SignedRequest(method, "http://s/" + key, Map.of())),
                cluster.scheduler,
                (request, name, key) -> CompletableFuture.completedFuture(null));
        Reply gone = new Reply.Failure(ErrorCode.NOT_FOUND, "gone");
        return List.of(
                () -> new SlotSweeper(store, cluster.scheduler, () -> epoch, Times.DEFAULT.slotLife()).run(),
                () -> new LeaseSweeper(
                                store,
                                cluster.scheduler,
                                () -> epoch,
                                recover -> CompletableFuture.completedFuture(gone))
                        .run(),
                () -> new ObjectSweeper(store, cluster.scheduler, () -> epoch, direct).run(),
                () -> new ChangeTrimmer(store, cluster.scheduler, () -> epoch, 1).run(),
                () -> new Reclaimer(
                                store, cluster.scheduler, () -> epoch, NameNodeSettings.Reclaim.DEFAULT, Telemetry.NONE)
                        .run());
    }

    private final class WatchedTransaction implements StoreTransaction {
        private final StoreTransaction inner;
        private final Throwable begun = new Throwable("it began here");

        WatchedTransaction(StoreTransaction inner) {
            this.inner = inner;
        }

        private <T> CompletionStage<T> asked(CompletionStage<T> answer) {
            open.add(begun);
            return answer.whenComplete((given, failure) -> {
                if (failure != null) {
                    open.remove(begun);
                }
            });
        }

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
            return asked(inner.read(reads, lockWaitNanos));
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            return asked(inner.scan(scan));
        }

        @Override
        public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
            return asked(inner.commit(mutations, deadlineMillis)).thenRun(() -> open.remove(begun));
        }

        @Override
        public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
            return asked(inner.commitIf(guarded)).thenApply(rows -> {
                if (rows.isEmpty()) {
                    open.remove(begun);
                }
                return rows;
            });
        }

        @Override
        public void abort() {
            open.remove(begun);
            inner.abort();
        }
    }
}
