package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseGoneError;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.ndb.row.RowReads;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** An NDB of two replicas that loses data nodes, is restarted as a whole, or belongs to somebody else. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
class NdbFailuresTest {
    private static final Key COUNT = Schema.SEQUENCES.key("count");
    private static final Mutation ADD =
            new Mutation.Merge(COUNT, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)));

    private static @Nullable TestNdb ndb;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @BeforeAll
    static void startNdb() throws Exception {
        ndb = TestNdb.shared();
    }

    @BeforeEach
    void empty() throws Exception {
        ndb.empty();
    }

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private DatabaseStore open() throws Exception {
        return open(NdbAck.REPLICATED);
    }

    private DatabaseStore open(NdbAck ack) throws Exception {
        return new DatabaseStore(scheduler, StoreLimits.defaults(), ndb.database(ack), 4, CommitObserver.NONE);
    }

    private static void add(MetadataStore store) {
        commit(store, ADD);
    }

    private static void commit(MetadataStore store, Mutation... mutations) {
        try {
            Waits.join(store.begin(0).commit(List.of(mutations), Long.MAX_VALUE));
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    private static @Nullable Row get(MetadataStore store, Key key) {
        StoreTransaction transaction = store.begin(0);
        return Waits.join(transaction.readAndEnd(List.of(Read.unlocked(key)), 0))
                .get(0);
    }

    private static long count(MetadataStore store) {
        Row row = get(store, COUNT);
        return row == null ? 0 : row.int64(0);
    }

    /** Each exactly once, though a transaction may end in a node that has gone. The last test: the node stays away. */
    @Test
    @Order(Integer.MAX_VALUE)
    void shouldKnowHowEveryCommitEndedWhenADataNodeIsKilled() throws Exception {
        try (DatabaseStore store = open()) {
            int acknowledged = 0;
            CompletableFuture<Void> kill = new CompletableFuture<>();
            while (!kill.isDone() || acknowledged < 400) {
                add(store);
                acknowledged++;
                if (acknowledged == 200) {
                    kill = CompletableFuture.runAsync(() -> ndb.server().killNode(2));
                }
            }
            kill.get();
            assertThat(count(store)).isEqualTo(acknowledged);
        }
    }

    /** PROTOCOL: D2. */
    @Test
    void shouldStopServingWhereAnotherProcessHasTakenTheDatabase() throws Exception {
        try (DatabaseStore former = open()) {
            add(former);
            ndb.changeHolder(row -> row.takenBy(row.process() + 1));
            assertThatThrownBy(() -> add(former))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
            assertThat(former.trouble()).isPresent();
        }
    }

    /** Whoever takes the database waits for the group that is being written, and so learns of it. PROTOCOL: D1. */
    @Test
    void shouldTakeTheDatabaseAfterTheGroupThatIsBeingWritten() throws Exception {
        CompletableFuture<Long> next = new CompletableFuture<>();
        ndb.use(session -> {
            NdbLease former = new NdbLease(ndb.settings(), 1);
            former.take(session);
            NdbTransaction group = HolderRow.begin(session);
            try {
                HolderRow.Reading holder = former.lock(session, group);
                new RowReads(session, group).execute();
                former.demandMine(holder.row());
                next.completeAsync(NdbFailuresTest::takeAgain);
                assertThatThrownBy(() -> next.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
                former.commit(session, group, 1);
            } finally {
                group.close();
            }
        });
        assertThat(next.get()).as("the last group").isEqualTo(1);
    }

    /** Returns the number of the last group. */
    private static long takeAgain() {
        while (true) {
            long[] last = new long[1];
            try {
                ndb.use(session -> last[0] = new NdbLease(ndb.settings(), 1).take(session));
                return last[0];
            } catch (DatabaseLostException waitedForTooLong) {
                // NDB gives a lock up after some seconds.
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** PROTOCOL: D4. */
    @Test
    void shouldWaitForTheLeaseOfAProcessThatDidNotLeaveInOrder() throws Exception {
        try (DatabaseStore former = open()) {
            add(former);
        }
        ndb.changeHolder(row -> row.takenBy(row.process() + 1));
        long began = System.nanoTime();
        try (DatabaseStore next = open()) {
            assertThat(System.nanoTime() - began).isGreaterThan(Database.LEASE.toNanos());
            assertThat(count(next)).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseTheTablesOfAnotherCluster() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
        }
        ndb.changeHolder(row ->
                new HolderRow("another", row.format(), row.incarnation(), row.lastGroup(), row.process(), false));
        NdbSettings other = new NdbSettings(ndb.settings().connect(), "mine", 4, NdbAck.REPLICATED, 0);
        assertThatThrownBy(() -> new NdbDatabase(other, 1, ndb.connection()).take())
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("belong to the cluster");
    }

    /** It would come back empty. */
    @Test
    void shouldNotMakeATableAgainThatWasDropped() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
        }
        ndb.use(session -> MadeTables.write(session, "dropped,inodes"));
        assertThatThrownBy(() -> ndb.database().take())
                .hasMessageContainingAll("has lost the tables dropped,", "restore a backup");
        // As a build finds it that has more tables than the one before.
        ndb.use(session -> MadeTables.write(session, "inodes"));
        try (DatabaseStore store = open()) {
            assertThat(count(store)).isEqualTo(1);
        }
        ndb.use(session -> assertThat(MadeTables.read(session)).contains("inodes", "xattrs"));
    }

    /**
     * Answered commits are on disk when all data nodes are killed at once, and no earlier epoch lives on. PROTOCOL: D6,
     * D7, D9.
     */
    @Test
    void shouldKeepWhatItAnsweredAndEndEveryEpochWhenAllOfNdbIsKilled() throws Exception {
        long epoch = 7;
        Key next = Schema.SEQUENCES.key("epoch");
        Row setting = new Row(Schema.SETTINGS.key("kept"), "value");
        try (DatabaseStore store = open(NdbAck.CHECKPOINT)) {
            commit(
                    store,
                    new Mutation.Put(setting),
                    new Mutation.Put(new Row(Rows.instanceKey(epoch), 0L, "instance", 0L)),
                    new Mutation.Put(new Row(Rows.epochKey(epoch), 0L)),
                    new Mutation.Put(new Row(next, epoch + 1)));
            ndb.server().killNodes();
        }
        ndb.restart();
        long began = System.nanoTime();
        try (DatabaseStore later = open()) {
            assertThat(System.nanoTime() - began).isGreaterThan(Database.LEASE.toNanos());
            assertThat(get(later, setting.key())).isEqualTo(setting);
            assertThat(get(later, Rows.instanceKey(epoch))).isNull();
            assertThat(get(later, Rows.epochKey(epoch))).isNull();
            assertThat(get(later, next)).isEqualTo(new Row(next, epoch + 1 + Database.SKIPPED));
        }
    }

    /** PROTOCOL: D5. */
    @Test
    void shouldEndWhereTheDatabaseHasLostWhatItAcknowledged() throws Exception {
        try (NdbDatabase database = ndb.database()) {
            long group = database.take() + 1;
            database.write(group, List.of(List.of(ADD)), new BitSet());
            ndb.changeHolder(row -> row.after(group - 1));
            assertThatThrownBy(database::take)
                    .isInstanceOf(DatabaseGoneError.class)
                    .hasMessageContaining("has lost commits that it had acknowledged");
        }
    }

    /** PROTOCOL: D9. */
    @Test
    void shouldRefuseToWaitForCheckpointsThatTakeTooLong() throws Exception {
        NdbLease.demandPrompt(TimeUnit.MILLISECONDS.toNanos(900));
        assertThatThrownBy(() -> NdbLease.demandPrompt(TimeUnit.SECONDS.toNanos(2)))
                .hasMessageContaining("TimeBetweenGlobalCheckpoints");
    }

    @Test
    void shouldLeaveNoPartsOfLongRowsBehind() throws Exception {
        Key key = Schema.SMALL_FILES.key(1L, 1L);
        Row longest = new Row(key, new byte[524_288]);
        Row shorter = new Row(key, new byte[20_000]);
        try (DatabaseStore store = open()) {
            commit(store, new Mutation.Put(longest));
            assertThat(get(store, key)).isEqualTo(longest);
            commit(store, new Mutation.Put(shorter));
            assertThat(get(store, key)).isEqualTo(shorter);
            assertThat(ndb.parts(key)).isEqualTo(3);
            commit(store, new Mutation.Delete(key));
            assertThat(ndb.parts(key)).isZero();
        }
    }

    /** Rows of two tables, which NDB makes visible one after the other. */
    @Test
    void shouldReadRowsOfOneMoment() throws Exception {
        Key first = Schema.SEQUENCES.key("first");
        Key second = Rows.instanceKey(1);
        try (DatabaseStore store = open()) {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                for (long i = 1; i <= 1_000; i++) {
                    commit(
                            store,
                            new Mutation.Put(new Row(first, i)),
                            new Mutation.Put(new Row(second, i, "instance", 0L)));
                }
            });
            while (!writing.isDone()) {
                List<@Nullable Row> rows = store.begin(0)
                        .readAndEnd(List.of(Read.unlocked(first), Read.unlocked(second)), 0)
                        .toCompletableFuture()
                        .join();
                if (rows.get(0) != null && rows.get(1) != null) {
                    assertThat(rows.get(0).int64(0)).isEqualTo(rows.get(1).int64(0));
                }
            }
            writing.get();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheConnection() {
        NdbSettings nowhere = new NdbSettings("127.0.0.1:1", "a-cluster", 4, NdbAck.REPLICATED, 0);
        assertThatThrownBy(() -> new NdbDatabase(nowhere, 1, null).take())
                .hasMessageContainingAll("127.0.0.1:1", "ndb_mgmd");
        assertThatThrownBy(() -> new NdbSettings("somewhere", "a-cluster", 4, NdbAck.REPLICATED, 0))
                .hasMessageContaining("HOST:PORT");
    }
}
