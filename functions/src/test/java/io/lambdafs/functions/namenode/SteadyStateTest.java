package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.housekeeping.SlotSweeper;
import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.block.Datanode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Chores keep up over simulated days with all of this: client sessions that come and fall silent, or write after a
 * silence; directories
 * that are removed; instances that leave, are killed, or end in the middle of their join. Nothing of them may be left.
 */
@Tag("once")
class SteadyStateTest {
    private static final FsPath HOME = FsPath.of("/home");
    private static final int DEPLOYMENTS = 2;
    /** More than one page of the sweeper's. */
    private static final int SESSIONS = 1_100;
    /** Sessions that write once an hour, after a silence that outlasts their slots. */
    private static final int SELDOM = 20;

    /** All waits ten times as long, but for those of slots. */
    private static final Times SLOW = new Times(
            Times.DEFAULT.ackWait().multipliedBy(10),
            Times.DEFAULT.lease().multipliedBy(10),
            Times.DEFAULT.drift().multipliedBy(10),
            Times.DEFAULT.session().multipliedBy(10),
            Times.DEFAULT.lockWait().multipliedBy(10),
            Times.DEFAULT.transaction().multipliedBy(10),
            Times.DEFAULT.attempt().multipliedBy(10),
            Times.DEFAULT.deadline().multipliedBy(2),
            Times.DEFAULT.slotLife());

    private final SimulatedCluster cluster = new SimulatedCluster(11, DEPLOYMENTS);
    private final RandomGenerator random = cluster.scheduler.random();
    private final long[] seldom = new long[SELDOM];
    private long sequence;
    private int trees;
    private int hours;

    private void write(long client, int slot, long number) {
        Operation<?> operation = new NamespaceOperation.Mkdirs(HOME, 0755, true);
        Reply reply = cluster.await(cluster.owner(operation)
                        .send(SimulatedCluster.ROOT, new RequestId(client, client, slot, number), operation))
                .reply();
        assertThat(reply).isEqualTo(Reply.Done.YES);
    }

    /** Sessions that write a few times and are never heard of again; the first request of a slot need not be one that it has recorded. */
    private void writeBriefly(int sessions) {
        for (int i = 0; i < sessions; i++) {
            long client = random.nextLong() | 1L << 62;
            int slot = 1 + random.nextInt(RequestId.MAX_SLOTS - 1);
            int first = 1 + random.nextInt(2);
            for (int number = first; number < first + 1 + random.nextInt(3); number++) {
                write(client, slot, number);
            }
        }
    }

    private void writeSeldom() {
        sequence++;
        for (int i = 0; i < SELDOM; i++) {
            seldom[i] = seldom[i] == 0 ? random.nextLong() : seldom[i];
            write(seldom[i], 1 + i % 3, sequence);
        }
    }

    private void removeTree() {
        FsPath tree = FsPath.of("/tree" + trees++);
        for (int i = 0; i < 5; i++) {
            FsPath directory = tree.child("d" + i);
            cluster.call(new NamespaceOperation.Mkdirs(directory, 0755, true));
            cluster.call(new FileOperation.Create(
                    directory.child("f"), 0644, false, false, 1, 1 << 20, new byte[] {1}, null));
        }
        assertThat(cluster.call(new NamespaceOperation.Delete(tree, true))).isEqualTo(Reply.Done.YES);
    }

    /** One that begins a file and is never heard of again, and one that falls silent under its second block; both files are deleted an hour later. */
    private void beginFiles() {
        DatanodeAddress address = new DatanodeAddress("d1", "localhost", 9_000);
        put(new Datanode(address, "local", Datanode.State.SERVING, 0, 0, cluster.scheduler.currentTimeMillis()).row());
        FsPath directory = FsPath.of("/written");
        if (hours++ > 0) {
            assertThat(attributes(directory.child("silent")).content())
                    .as("what the sweeper has closed")
                    .isEqualTo(INode.Content.BLOCKS);
            assertThat(cluster.call(new NamespaceOperation.Delete(directory, true)))
                    .isEqualTo(Reply.Done.YES);
        }
        create(directory.child("begun"));
        FsPath silent = directory.child("silent");
        OpenFile file = create(silent).file();
        LocatedBlock first = add(silent, file, 0, 0, null);
        Block written = new Block(first.block().id(), first.block().generation(), 100, 7);
        add(silent, file, 1, 1, written);
        assertThat(rows(Schema.WRITTEN_FILES)).isEqualTo(1);
    }

    private Reply.Status create(FsPath path) {
        return (Reply.Status)
                cluster.call(new FileOperation.Create(path, 0644, false, true, 1, 100, new byte[0], null));
    }

    private LocatedBlock add(FsPath path, OpenFile file, long generation, int index, @Nullable Block previous) {
        Reply added = cluster.call(new BlockOperation.AddBlock(path, file, generation, index, previous));
        return ((Reply.BlockAdded) added).block();
    }

    private Attributes attributes(FsPath path) {
        return ((Reply.Status) cluster.call(new ReadOperation.Stat(path))).attributes();
    }

    private void put(Row row) {
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
    }

    /** Plays a datanode: deletes objects of blocks that no file needs, and their rows. */
    private void deleteObjects() {
        List<Mutation> deletes = cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INVALID_BLOCKS))
                .<Mutation>map(row -> new Mutation.Delete(row.key()))
                .toList();
        if (!deletes.isEmpty()) {
            cluster.await(cluster.store.begin(0).commit(deletes, Long.MAX_VALUE));
        }
    }

    /** One instance leaves, one is killed, and one ends when it has taken an epoch and is no member yet; others take their places. */
    private void renewInstances() {
        List<Instance> old = List.copyOf(cluster.instances);
        cluster.leave(old.get(0));
        cluster.kill(old.get(1));
        cluster.start(0);
        cluster.start(1);
        Instance unborn = cluster.new Instance(0);
        int before = count().get(Schema.EPOCHS.name());
        if (!cluster.coordinatedByStore) {
            unborn.coordinator.partition();
        }
        unborn.nameNode.start();
        while (count().get(Schema.EPOCHS.name()) == before) {
            cluster.advance(Duration.ofNanos(100_000));
        }
        cluster.kill(unborn);
    }

    private Map<String, Integer> count() {
        return cluster.rows().stream()
                .map(row -> row.key().table().name())
                .collect(Collectors.toMap(name -> name, name -> 1, Integer::sum, TreeMap::new));
    }

    private int rows(Table table) {
        return count().getOrDefault(table.name(), 0);
    }

    private void run(int hours, int sessions) {
        cluster.start(0);
        cluster.start(1);
        cluster.setLatency(Duration.ofNanos(100_000));
        List<Map<String, Integer>> counts = new ArrayList<>();
        int timers = 0;
        for (int hour = 0; hour < hours; hour++) {
            writeSeldom();
            writeBriefly(sessions);
            removeTree();
            beginFiles();
            renewInstances();
            assertThat(rows(Schema.CLIENTS))
                    .as("those, and the one of the other calls")
                    .isEqualTo(sessions + SELDOM + 1);
            cluster.advance(Duration.ofMinutes(58));
            deleteObjects();
            counts.add(count());
            assertThat(counts.get(hour)).as("after %d hours", hour + 1).isEqualTo(counts.get(0));
            assertThat(cluster.scheduler.timers()).as("timers").isLessThanOrEqualTo(2 * Math.max(50, timers));
            timers = hour == 0 ? cluster.scheduler.timers() : timers;
            cluster.advance(Duration.ofMinutes(2));
        }
        assertThat(counts.get(0))
                .doesNotContainKeys(
                        Schema.CLIENTS.name(), Schema.SLOTS.name(), Schema.LETTERS.name(), Schema.WRITTEN_FILES.name());
        cluster.wholeStore();
    }

    @Test
    void shouldLeaveNothingBehindOverDays() {
        run(48, 300);
    }

    @Test
    void shouldSweepSessionsBehindMoreThatLiveThanOnePageHolds() {
        cluster.start(0);
        cluster.start(1);
        for (int round = 1; round <= 6; round++) {
            for (long client = 1; client <= SESSIONS; client++) {
                write(client, 1, round);
            }
            writeBriefly(SESSIONS / 10);
            cluster.advance(Duration.ofMinutes(9));
        }
        assertThat(rows(Schema.CLIENTS)).isLessThanOrEqualTo(SESSIONS + 2 * SESSIONS / 10);
        assertThat(rows(Schema.SLOTS)).isLessThanOrEqualTo(SESSIONS + 2 * SESSIONS / 10);
        cluster.advance(Duration.ofMinutes(12));
        assertThat(rows(Schema.CLIENTS)).isZero();
        assertThat(rows(Schema.SLOTS)).isZero();
    }

    @Test
    void shouldNoteASessionAgainThatWritesWhileItIsSwept() {
        Instance leader = cluster.start(0);
        cluster.start(1);
        write(7, 1, 1);
        CompletableFuture<Void> sweep = cluster.store.holdNextCommit(
                mutations -> mutations.stream().allMatch(Mutation.Delete.class::isInstance));
        while (!cluster.store.holds()) {
            cluster.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<OperationReply> reply = leader.send(
                SimulatedCluster.ROOT, new RequestId(7, 7, 2, 1), new NamespaceOperation.Mkdirs(HOME, 0755, true));
        cluster.advance(Duration.ofMillis(1));
        sweep.complete(null);
        cluster.await(reply);
        assertThat(rows(Schema.SLOTS)).isEqualTo(1);
        assertThat(rows(Schema.CLIENTS)).isEqualTo(1);
        cluster.advance(Times.DEFAULT.slotLife().plusMinutes(2));
        assertThat(rows(Schema.SLOTS)).isZero();
        assertThat(rows(Schema.CLIENTS)).isZero();
    }

    /** Whichever of its slots it writes by, a session keeps all of them. */
    @Test
    void shouldKeepASessionThatWritesByAnyOfItsSlots() {
        cluster.start(0);
        cluster.start(1);
        Duration half = Times.DEFAULT.slotLife().dividedBy(2).plusMinutes(1);
        for (int slot = 1; slot <= 3; slot++) {
            write(slot, 1, 1);
            write(slot, 2, 1);
            write(slot, 3, 1);
        }
        for (int round = 2; round < 5; round++) {
            cluster.advance(half);
            for (int slot = 1; slot <= 3; slot++) {
                write(slot, slot, round);
            }
            assertThat(rows(Schema.SLOTS)).as("round %d", round).isEqualTo(9);
        }
        cluster.advance(Times.DEFAULT.slotLife().plusMinutes(2));
        assertThat(rows(Schema.SLOTS)).isZero();
        assertThat(rows(Schema.CLIENTS)).isZero();
    }

    /** A request that comes between the look at the slots and their locks. */
    @Test
    void shouldKeepASessionThatWritesBeforeItsSlotsAreLocked() {
        cluster.start(0);
        Instance leader = cluster.start(1);
        write(7, 1, 1);
        cluster.advance(Times.DEFAULT.slotLife().plusSeconds(1));
        CompletableFuture<Void> lock = cluster.store.holdNextRead(
                reads -> reads.stream().allMatch(read -> read.key().table().equals(Schema.SLOTS)));
        SlotSweeper sweeper =
                new SlotSweeper(cluster.store, cluster.scheduler, leader.nameNode::epoch, Times.DEFAULT.slotLife());
        CompletableFuture<Void> sweep = sweeper.run().toCompletableFuture();
        cluster.advance(Duration.ofMillis(1));
        assertThat(sweep).isNotDone();
        write(7, 1, 2);
        lock.complete(null);
        cluster.await(sweep);
        assertThat(rows(Schema.SLOTS)).isEqualTo(1);
        assertThat(rows(Schema.CLIENTS)).isEqualTo(1);
    }

    @Tag("slow")
    @Test
    void shouldLeaveNothingBehindOverDaysWhereTheStoreCoordinates() {
        // A tenth of the polls.
        cluster.settings = new NameNodeSettings("root", SLOW, 64 << 10, 20_000, NameNodeSettings.Reclaim.DEFAULT, 0);
        cluster.coordinatedByStore = true;
        run(24, 20);
    }
}
