package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** An NDB of two replicas that loses data nodes, is restarted as a whole, or belongs to somebody else. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
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
        return new DatabaseStore(scheduler, StoreLimits.defaults(), ndb.database(), 4, CommitObserver.NONE);
    }

    private static void add(MetadataStore store) {
        commit(store, ADD);
    }

    private static void commit(MetadataStore store, Mutation... mutations) {
        try {
            store.begin(0)
                    .commit(List.of(mutations), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    private static @Nullable Row get(MetadataStore store, Key key) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .readAndEnd(List.of(Read.unlocked(key)), 0)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join()
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
            kill.get(60, TimeUnit.SECONDS);
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
        NdbSettings other = new NdbSettings(ndb.settings().connect(), "mine", 4);
        assertThatThrownBy(() -> new NdbDatabase(other, 1, ndb.connection()).take())
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("belong to the cluster");
    }

    /** PROTOCOL: D6, D7. */
    @Test
    void shouldKeepItsRowsAndEndEveryEpochWhenAllOfNdbWasRestarted() throws Exception {
        long epoch = 7;
        Key next = Schema.SEQUENCES.key("epoch");
        Row setting = new Row(Schema.SETTINGS.key("kept"), "value");
        try (DatabaseStore store = open()) {
            commit(
                    store,
                    new Mutation.Put(setting),
                    new Mutation.Put(new Row(Rows.instanceKey(epoch), 0L, "instance", 0L)),
                    new Mutation.Put(new Row(Rows.epochKey(epoch), 0L)),
                    new Mutation.Put(new Row(next, epoch + 1)));
        }
        NdbDatabase own = new NdbDatabase(ndb.settings(), 1, null);
        try (DatabaseStore again = new DatabaseStore(scheduler, StoreLimits.defaults(), own, 4, CommitObserver.NONE)) {
            assertThat(get(again, Rows.instanceKey(epoch))).isNotNull();
            ndb.changeHolder(row -> row.after(0));
            ndb.restart();
            assertThatThrownBy(() -> add(again)).hasMessageContaining("has lost commits that it had acknowledged");
        }
        long began = System.nanoTime();
        try (DatabaseStore later = open()) {
            assertThat(System.nanoTime() - began).isGreaterThan(Database.LEASE.toNanos());
            assertThat(get(later, setting.key())).isEqualTo(setting);
            assertThat(get(later, Rows.instanceKey(epoch))).isNull();
            assertThat(get(later, Rows.epochKey(epoch))).isNull();
            assertThat(get(later, next)).isEqualTo(new Row(next, epoch + 1 + Database.SKIPPED));
        }
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
        NdbSettings nowhere = new NdbSettings("127.0.0.1:1", "a-cluster", 4);
        assertThatThrownBy(() -> new NdbDatabase(nowhere, 1, null).take())
                .hasMessageContainingAll("127.0.0.1:1", "ndb_mgmd");
        assertThatThrownBy(() -> new NdbSettings("somewhere", "a-cluster", 4)).hasMessageContaining("HOST:PORT");
    }
}
