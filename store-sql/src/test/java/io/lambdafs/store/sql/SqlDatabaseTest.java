package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.DatabaseGoneError;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.format.FormatLevel;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commits of the server that holds the database. */
class SqlDatabaseTest {
    private static final Key KEY = Schema.SEQUENCES.key("one");
    private static final Key OTHER = Schema.SUBTREE_OPERATIONS.key(0L, "/a");

    private @Nullable TestPostgres postgres;
    private @Nullable SqlDatabase database;

    @BeforeEach
    void take() throws Exception {
        postgres = TestPostgres.emptied();
        database = new SqlDatabase(postgres.settings());
        assertThat(database.isTaken()).isFalse();
        assertThat(database.take()).isZero();
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private static Mutation put(long value) {
        return new Mutation.Put(new Row(KEY, value));
    }

    private static Mutation other(long value) {
        return new Mutation.Put(new Row(OTHER, value, 0L, "", 0L, ""));
    }

    private int write(long number, Mutation... mutations) throws DatabaseLostException {
        return database.write(number, List.of(List.of(mutations)), new BitSet());
    }

    private void assertValue(long value) throws DatabaseLostException {
        assertThat(database.read(List.of(KEY))).containsExactlyEntriesOf(Map.of(KEY, new Row(KEY, value)));
    }

    private void lose() throws Exception {
        // Those alone end that are waited for: the pool may open the next meanwhile.
        String pids = ask("SELECT coalesce(string_agg(pid::text, ','), '0') FROM pg_stat_activity"
                + " WHERE application_name = 'lambdafs-store'");
        postgres.execute("SELECT pg_terminate_backend(pid) FROM unnest(ARRAY[" + pids + "]) AS pid");
        postgres.await("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid IN (" + pids + ")");
    }

    private String ask(String sql) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void assertGone(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(DatabaseGoneError.class).hasMessageContaining(text);
    }

    @Test
    void shouldCountTheRowsThatAGroupChanges() throws Exception {
        assertThat(write(1, put(1), put(2), other(1))).isEqualTo(2);
        assertThat(write(2)).isZero();
        assertThat(write(3, new Mutation.Delete(OTHER))).isEqualTo(1);
        assertValue(2);
        assertThat(database.read(List.of(OTHER))).isEmpty();
        assertThat(ask("SELECT last_group FROM lambdafs.holder")).isEqualTo("3");
    }

    /** PROTOCOL: D2. */
    @Test
    void shouldWriteNothingUnderAnotherIncarnation() throws Exception {
        write(1, put(1));
        postgres.execute("UPDATE lambdafs.holder SET incarnation = incarnation + 1");
        assertGone(() -> write(2, put(2)), "another process");
        assertValue(1);
        assertThat(ask("SELECT last_group FROM lambdafs.holder")).isEqualTo("1");
    }

    @Test
    void shouldKnowWhichGroupWasTheLastWhenItTakesTheDatabaseAnew() throws Exception {
        write(5, put(1));
        lose();
        assertThatThrownBy(() -> write(6, put(2))).isInstanceOf(DatabaseLostException.class);
        assertThat(database.isTaken()).isFalse();
        assertThat(database.take()).isEqualTo(5);
        assertThat(database.isTaken()).isTrue();
        assertValue(1);
        assertThat(write(6, put(3))).isEqualTo(1);
        assertValue(3);
    }

    @Test
    void shouldGiveUpADatabaseThatSomebodyElseHasTakenOrThatHasLostCommits() throws Exception {
        write(5, put(1));
        lose();
        postgres.execute("UPDATE lambdafs.holder SET last_group = 4");
        assertGone(() -> database.take(), "its last group is 4, it was 5");
        assertThat(database.isTaken()).isFalse();
        postgres.execute("UPDATE lambdafs.holder SET last_group = 5, incarnation = incarnation + 1");
        assertGone(() -> database.take(), "another process");
        assertThat(database.isTaken()).isFalse();
    }

    /** Whoever takes it next need not wait for its lease. */
    @Test
    void shouldGiveTheDatabaseBackInOrder() throws Exception {
        write(1, put(1));
        assertThat(ask("SELECT held FROM lambdafs.holder")).isEqualTo("t");
        database.close();
        assertThat(ask("SELECT held FROM lambdafs.holder")).isEqualTo("f");
        assertThat(ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lambdafs-store'"
                        + " AND backend_type = 'client backend' AND state <> 'idle'"))
                .isEqualTo("0");
        try (SqlDatabase next = new SqlDatabase(postgres.settings())) {
            assertThat(next.take()).isEqualTo(1);
            assertThat(next.write(2, List.of(List.of(put(2))), new BitSet())).isEqualTo(1);
        }
    }

    @Test
    void shouldMakeNothingOfAGroupThatTheDatabaseRefuses() throws Exception {
        write(1, put(1));
        StringBuilder path = new StringBuilder();
        for (int i = 0; path.length() < 10_000; i++) {
            path.append('/').append(Integer.toHexString(i * 0x9E3779B9));
        }
        Row tooLong = new Row(Schema.SUBTREE_OPERATIONS.key(0L, path.toString()), 1L, 0L, "", 0L, "");
        assertThatThrownBy(() -> write(2, put(2), new Mutation.Put(tooLong)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
        assertThat(database.isTaken()).isTrue();
        assertValue(1);
        assertThat(ask("SELECT last_group FROM lambdafs.holder")).isEqualTo("1");
        write(2, put(3));
        assertValue(3);
    }

    @Test
    void shouldSayThatAReadIsLostOrRefused() throws Exception {
        write(1, put(1), other(1));
        assertThat(database.scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, null, 5)))
                .hasSize(1);
        lose();
        assertThatThrownBy(() -> database.read(List.of(KEY))).isInstanceOf(DatabaseLostException.class);
        postgres.execute("ALTER TABLE lambdafs.sequences RENAME COLUMN next TO later");
        assertThatThrownBy(() -> {
                    while (true) {
                        try {
                            database.read(List.of(KEY));
                        } catch (DatabaseLostException anotherConnection) {
                            continue;
                        }
                        return;
                    }
                })
                .isInstanceOf(FsException.class)
                .hasMessageContaining("the store cannot read");
    }

    @Test
    void shouldSayThatADatabaseIsAway() throws Exception {
        SqlSettings nowhere =
                new SqlSettings("jdbc:postgresql://127.0.0.1:1/postgres", "nobody", Optional.empty(), "a-cluster", 1);
        try (SqlDatabase away = new SqlDatabase(nowhere)) {
            assertThatThrownBy(away::take)
                    .isInstanceOfSatisfying(
                            DatabaseLostException.class,
                            e -> assertThat(e.reason().code()).isEqualTo(ErrorCode.UNAVAILABLE));
            assertThat(away.isTaken()).isFalse();
        }
    }

    /** Only until all is there: the group that says so waits for the disk, and so do all after it. */
    @Test
    void shouldWaitForTheDiskButForGroupsOfALoad() throws Exception {
        postgres.execute("CREATE TABLE lambdafs.waits (setting text)");
        postgres.execute("CREATE FUNCTION lambdafs.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " INSERT INTO lambdafs.waits VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$");
        postgres.execute("CREATE TRIGGER note AFTER INSERT OR UPDATE ON lambdafs.sequences"
                + " FOR EACH ROW EXECUTE PROCEDURE lambdafs.note()");
        Mutation loading = new Mutation.Put(new Row(FormatLevel.KEY, FormatLevel.LOADING + "a dump"));
        Mutation loaded = new Mutation.Put(FormatLevel.NEWEST.row());
        write(1, put(1));
        write(2, put(2), loading);
        write(3, put(3));
        write(4, put(4), loaded);
        write(5, put(5));
        assertThat(ask("SELECT string_agg(setting, ' ') FROM lambdafs.waits")).isEqualTo("on on off on on");
        write(6, loading);
        lose();
        assertThatThrownBy(() -> write(7, put(7))).isInstanceOf(DatabaseLostException.class);
        database.take();
        write(7, put(7));
        assertThat(ask("SELECT string_agg(setting, ' ') FROM lambdafs.waits"))
                .as("what it knew of the database before is not believed")
                .isEqualTo("on on off on on off");
    }
}
