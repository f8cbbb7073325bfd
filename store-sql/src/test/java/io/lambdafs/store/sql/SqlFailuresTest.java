package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.ChangeLog;
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
import io.lambdafs.store.database.DatabaseCommits;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that loses connections, crashes, goes back in time, or belongs to somebody else. */
@Tag("slow")
class SqlFailuresTest {
    private static final Key COUNT = Schema.SEQUENCES.key("count");
    private static final Mutation ADD =
            new Mutation.Merge(COUNT, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)));
    private static final long KILL_MILLIS = 7;
    private static final String SESSIONS =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lambdafs-store'";

    private static @Nullable TestPostgres postgres;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @BeforeAll
    static void startPostgres() throws Exception {
        postgres = TestPostgres.start();
    }

    @AfterAll
    static void stopPostgres() throws Exception {
        if (postgres != null) {
            postgres.close();
        }
    }

    @BeforeEach
    void empty() throws Exception {
        postgres.empty();
    }

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private DatabaseStore open() {
        return open(postgres.settings());
    }

    private DatabaseStore open(SqlSettings settings) {
        return SqlStore.open(scheduler, StoreLimits.defaults(), settings, CommitObserver.NONE);
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

    /** Each exactly once, though the answer to many a COMMIT is lost. */
    @Test
    void shouldKnowHowEveryCommitEndedWhoseConnectionWasLost() throws Exception {
        try (DatabaseStore store = open()) {
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger acknowledged = new AtomicInteger();
            CompletableFuture<Void> killer = CompletableFuture.runAsync(() -> {
                int before = 0;
                long pause = KILL_MILLIS;
                while (!ended.get()) {
                    try {
                        postgres.execute(SESSIONS);
                        // Where the machine is too slow to connect meanwhile, the next one is killed later.
                        pause = acknowledged.get() > before ? KILL_MILLIS : 2 * pause;
                        before = acknowledged.get();
                        Thread.sleep(pause);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
            try {
                while (System.nanoTime() - until < 0) {
                    add(store);
                    acknowledged.incrementAndGet();
                }
            } finally {
                ended.set(true);
                killer.get();
            }
            assertThat(acknowledged).hasPositiveValue();
            assertThat(count(store)).isEqualTo(acknowledged.get());
        }
    }

    /** Its number was found in the database afterwards: that of the group before, whose end had not been known. */
    @Test
    void shouldNotTakeAGroupForTheOneBeforeThatWasGivenUp() throws Exception {
        SqlDatabase database = new SqlDatabase(postgres.settings());
        DatabaseCommits commits = new DatabaseCommits(scheduler, database, Duration.ofMillis(100));
        commits.write(List.of(List.of(ADD)), new BitSet());
        postgres.kill();
        assertThatThrownBy(() -> commits.write(List.of(List.of(ADD)), new BitSet()))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
        assertThat(commits.isSettled()).isFalse();
        postgres.resume();
        postgres.execute("UPDATE lambdafs.holder SET last_group = last_group + 1");
        commits.write(List.of(List.of(ADD)), new BitSet());
        assertThat(commits.isSettled()).isTrue();
        database.close();
        try (DatabaseStore store = open()) {
            assertThat(count(store)).isEqualTo(2);
        }
    }

    /** The database may have made it, whatever keeps it from being asked. */
    @Test
    void shouldNotSayThatAGroupFailedWhoseEndIsNotKnown() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
            postgres.execute("UPDATE lambdafs.holder SET cluster = 'another'");
            postgres.execute(SESSIONS);
            assertThatThrownBy(() -> add(store))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
            assertThatThrownBy(() -> count(store)).hasMessageContaining("lost its database");
        }
    }

    @Test
    void shouldGoOnAfterACrashOfTheDatabase() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
            postgres.kill();
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> add(store));
            postgres.resume();
            waiting.get();
            assertThat(count(store)).isEqualTo(2);
        }
    }

    /** PROTOCOL: D6, D7. Its time line is another then, as it is after a promotion. */
    @Test
    void shouldEndEveryEpochWhenTheDatabaseWasPromotedOrRestored() throws Exception {
        long epoch = 7;
        Key next = Schema.SEQUENCES.key("epoch");
        try (DatabaseStore store = open()) {
            commit(
                    store,
                    new Mutation.Put(new Row(Rows.instanceKey(epoch), 0L, "instance", 0L)),
                    new Mutation.Put(new Row(Rows.epochKey(epoch), 0L)),
                    new Mutation.Put(new Row(next, epoch + 1)),
                    new Mutation.Put(new Row(ChangeLog.NEXT, 9L)));
        }
        try (DatabaseStore same = open()) {
            assertThat(get(same, Rows.instanceKey(epoch))).isNotNull();
            assertThat(get(same, ConfirmedLeases.KEY)).isEqualTo(ConfirmedLeases.ROW);
        }
        postgres.execute("UPDATE lambdafs.holder SET life = '00000000' || substr(life, 9)");
        long began = System.nanoTime();
        try (DatabaseStore later = open()) {
            assertThat(System.nanoTime() - began).isGreaterThan(Database.LEASE.toNanos());
            assertThat(get(later, Rows.instanceKey(epoch))).isNull();
            assertThat(get(later, Rows.epochKey(epoch))).isNull();
            assertThat(get(later, next)).isEqualTo(new Row(next, epoch + 1 + Database.SKIPPED));
            assertThat(get(later, ChangeLog.TRIMMED)).isEqualTo(new Row(ChangeLog.TRIMMED, 8 + Database.SKIPPED));
        }
    }

    @Test
    void shouldFindItsRowsAgainAndLetOthersReadThemBySql() throws Exception {
        Row setting = new Row(Schema.SETTINGS.key("a\0b\1c\1\2λ\uD83D\uDE00"), "it's");
        try (DatabaseStore store = open()) {
            commit(store, new Mutation.Put(setting), new Mutation.Put(new Row(Schema.SETTINGS.key("plain"), "value")));
            add(store);
        }
        try (DatabaseStore again = open()) {
            assertThat(count(again)).isEqualTo(1);
            assertThat(again.begin(0)
                            .readAndEnd(List.of(Read.unlocked(setting.key())), 0)
                            .toCompletableFuture()
                            .join())
                    .containsExactly(setting);
        }
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT value FROM lambdafs.settings WHERE name = 'plain'")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("value");
        }
    }

    /** Its session has ended, so that nothing keeps the other one away but the lease. */
    @Test
    void shouldStopServingWhereAnotherProcessHasTakenTheDatabase() throws Exception {
        DatabaseStore former = open();
        add(former);
        postgres.execute("SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory'");
        long began = System.nanoTime();
        try (DatabaseStore next = open()) {
            assertThat(System.nanoTime() - began).isGreaterThan(Database.LEASE.toNanos());
            assertThatThrownBy(() -> count(former)).hasMessageContaining("lost its database");
            add(next);
            assertThatThrownBy(() -> add(former)).isInstanceOf(FsException.class);
            assertThat(count(next)).isEqualTo(2);
            assertThat(former.trouble()).isPresent();
        } finally {
            former.close();
        }
    }

    /** Its connection is open, and its session has the lock; nobody has told it. PROTOCOL: D2. */
    @Test
    void shouldWriteNothingUnderAnIncarnationThatIsOver() throws Exception {
        try (DatabaseStore former = open()) {
            add(former);
            postgres.execute("UPDATE lambdafs.holder SET incarnation = incarnation + 1");
            assertThatThrownBy(() -> add(former)).isInstanceOf(FsException.class);
            assertThat(former.trouble()).isPresent();
        }
        postgres.execute("UPDATE lambdafs.holder SET held = false");
        try (DatabaseStore next = open()) {
            assertThat(count(next)).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseADatabaseThatIsServedOrOfAnotherClusterOrHasLostCommits() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
            add(store);
            postgres.execute("UPDATE lambdafs.holder SET last_group = 0");
            postgres.execute(SESSIONS);
            assertThatThrownBy(() -> add(store)).hasMessageContaining("has lost commits that it had acknowledged");
        }
        SqlSettings mine = postgres.settings();
        SqlSettings other = new SqlSettings(mine.url(), mine.user(), Optional.empty(), "another", 4);
        assertThatThrownBy(() -> open(other))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("belong to the cluster a-cluster");
    }
}
