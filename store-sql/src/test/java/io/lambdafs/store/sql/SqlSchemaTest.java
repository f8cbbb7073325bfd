package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.engine.StoreLimits;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what is created in a database, and what is refused: tables that are lost or damaged, rights that lack, another
 * cluster's.
 */
class SqlSchemaTest {
    private static final Key COUNT = Schema.SEQUENCES.key("count");
    private static final Mutation ADD =
            new Mutation.Merge(COUNT, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)));

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private @Nullable TestPostgres postgres;

    @BeforeEach
    void empty() throws Exception {
        postgres = TestPostgres.emptied();
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

    private SqlSettings restricted() {
        return new SqlSettings(postgres.settings().url(), "restricted", Optional.empty(), "a-cluster", 4);
    }

    private static void add(MetadataStore store) {
        commit(store, ADD);
    }

    private static void commit(MetadataStore store, Mutation... mutations) {
        Waits.join(store.begin(0).commit(List.of(mutations), Long.MAX_VALUE));
    }

    private static long count(MetadataStore store) {
        Row row = Waits.join(store.begin(0).readAndEnd(List.of(Read.unlocked(COUNT)), 0))
                .get(0);
        return row == null ? 0 : row.int64(0);
    }

    /** By whoever starts on it, whoever would stand by, and doctor; and it is served again when what they say is done. */
    private void assertRefused(SqlSettings settings, String... texts) {
        assertThatThrownBy(() -> open(settings))
                .hasMessageContainingAll(texts)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        assertThatThrownBy(() -> SqlStore.demandSound(settings)).hasMessageContainingAll(texts);
        assertThat(DatabaseExam.of(settings, true))
                .as("what doctor finds")
                .anySatisfy(
                        each -> assertThat(each.what() + ": " + each.change()).contains(texts));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inodes DROP CONSTRAINT inodes_pkey | inodes has no primary key | ADD PRIMARY KEY (\"parent_id\", \"name\")",
                "holder DROP CONSTRAINT holder_pkey | holder has no primary key | ADD PRIMARY KEY (\"one\")",
                "slots DROP CONSTRAINT slots_pkey, ADD PRIMARY KEY (slot) | slots has the primary key \"slot\" | ADD PRIMARY KEY",
                "inodes SET UNLOGGED | inodes is UNLOGGED | inodes SET LOGGED",
                "holder SET UNLOGGED | holder is UNLOGGED | holder SET LOGGED",
                "inodes DROP COLUMN acl | lost the columns inodes.acl | restore a backup",
                "inodes DROP COLUMN mode | lost the columns inodes.mode | restore a backup",
                "blocks DROP COLUMN unknown_columns | lost the columns blocks.unknown_columns | restore a backup",
                "holder DROP COLUMN life | lost the columns holder.life | restore a backup",
                "holder DROP COLUMN tables | lost the columns holder.tables | restore a backup",
                "inodes ALTER COLUMN name TYPE text COLLATE \"POSIX\" | inodes.name is text COLLATE \"POSIX\" | TYPE text COLLATE \"C\"",
                "blocks ALTER COLUMN crc TYPE integer | blocks.crc is integer | TYPE bigint",
                "xattrs ALTER COLUMN attributes DROP NOT NULL | xattrs.attributes is bytea, not bytea NOT NULL | SET NOT NULL"
            })
    void shouldRefuseTablesThatWereDamaged(String damage, String what, String change) throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
        }
        SqlStore.demandSound(postgres.settings());
        assertThat(new SqlSchema(new SqlTables()).faults(postgres.connect(), postgres.settings()))
                .isEmpty();
        postgres.execute("ALTER TABLE lambdafs." + damage);
        assertRefused(postgres.settings(), what, change);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "REVOKE DELETE ON lambdafs.slots FROM restricted | restricted lacks DELETE on the table slots | GRANT DELETE ON lambdafs.slots TO restricted",
                "REVOKE INSERT, UPDATE ON lambdafs.slots FROM restricted | lacks INSERT, UPDATE on the table slots | GRANT INSERT, UPDATE",
                "REVOKE SELECT ON lambdafs.holder FROM restricted | lacks SELECT on the table holder | GRANT SELECT",
                "REVOKE ALL ON SCHEMA lambdafs FROM restricted | may not use the schema | GRANT USAGE ON SCHEMA",
                "ALTER TABLE lambdafs.inodes ENABLE ROW LEVEL SECURITY | row security applies to restricted in the table inodes | BYPASSRLS",
                "ALTER ROLE restricted SET default_transaction_read_only = on | restricted are read-only | SET default_transaction_read_only = off"
            })
    void shouldNameTheRightsThatTheUserLacks(String damage, String what, String change) throws Exception {
        makeRestricted();
        SqlStore.demandSound(restricted());
        postgres.execute(damage);
        assertRefused(restricted(), what, change);
    }

    /** Whoever serves it at the moment: its standbys must not be ready. */
    @Test
    void shouldRefuseAnotherClustersDatabaseAtOnce() {
        SqlSettings mine = postgres.settings();
        SqlSettings other = new SqlSettings(mine.url(), mine.user(), Optional.empty(), "another", 4);
        try (DatabaseStore store = open()) {
            add(store);
            for (Runnable each : List.<Runnable>of(() -> open(other), () -> SqlStore.demandSound(other))) {
                assertThatThrownBy(each::run)
                        .isInstanceOfSatisfying(
                                FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                        .hasMessageContaining("belong to the cluster a-cluster, this one is another");
            }
        }
    }

    @Test
    void shouldRefuseTablesOfAnotherFormat() throws Exception {
        open().close();
        postgres.execute("UPDATE lambdafs.holder SET format = 2");
        assertThatThrownBy(this::open).hasMessageContainingAll("format 2, this build reads 1");
    }

    private void makeRestricted() throws Exception {
        postgres.execute(String.join(";", SqlStore.schema()));
        postgres.execute("CREATE ROLE restricted LOGIN");
        postgres.execute("GRANT USAGE ON SCHEMA lambdafs TO restricted");
        postgres.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lambdafs TO restricted");
    }

    /** It would come back empty. */
    @Test
    void shouldNotMakeATableAgainThatWasDropped() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
            commit(store, new Mutation.Put(Rows.of(INode.directory(1, "a", 2, "root", "users", 0755, 7))));
        }
        postgres.execute("ALTER TABLE lambdafs.sequences RENAME TO gone");
        assertThatThrownBy(this::open).hasMessageContainingAll("has lost the tables sequences", "restore a backup");
        assertThatThrownBy(this::open).as("again").hasMessageContaining("has lost the tables sequences");
        assertThat(DatabaseExam.of(postgres.settings(), true))
                .as("what doctor finds")
                .anySatisfy(each -> assertThat(each.what()).contains("the tables sequences"));
        postgres.execute("ALTER TABLE lambdafs.gone RENAME TO sequences");
        postgres.execute("ALTER TABLE lambdafs.holder RENAME TO gone");
        assertThatThrownBy(this::open).hasMessageContainingAll("has lost the tables holder", "restore a backup");
        postgres.execute("ALTER TABLE lambdafs.gone RENAME TO holder");
        try (DatabaseStore store = open()) {
            assertThat(count(store)).isEqualTo(1);
        }
    }

    /** As an administrator makes them by {@code format --print-sql}. */
    @Test
    void shouldServeByAUserThatMayNotMakeTables() throws Exception {
        makeRestricted();
        try (DatabaseStore store = open(restricted())) {
            add(store);
        }
        try (DatabaseStore store = open(restricted())) {
            assertThat(count(store)).isEqualTo(1);
        }
    }

    /** As a build finds a database that an earlier one has made. */
    @Test
    void shouldMakeTablesAndColumnsThatAreNew() throws Exception {
        try (DatabaseStore store = open()) {
            add(store);
        }
        postgres.execute("DROP TABLE lambdafs.xattrs");
        postgres.execute("UPDATE lambdafs.holder SET tables = replace(tables, ',xattrs', '')");
        try (DatabaseStore store = open()) {
            commit(store, new Mutation.Put(new Row(Schema.XATTRS.key(1L), new byte[] {1})));
            assertThat(count(store)).isEqualTo(1);
        }
        postgres.execute("DROP TABLE lambdafs.xattrs");
        assertThatThrownBy(this::open).hasMessageContaining("has lost the tables xattrs");
        postgres.execute("ALTER TABLE lambdafs.holder DROP COLUMN tables, DROP COLUMN columns");
        try (DatabaseStore store = open()) {
            assertThat(count(store)).as("of a build that noted no tables").isEqualTo(1);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheConnection() {
        SqlSettings mine = postgres.settings();
        SqlSettings missing = new SqlSettings(
                mine.url().replace("/postgres", "/missing"), mine.user(), Optional.empty(), "a-cluster", 4);
        assertThatThrownBy(() -> open(missing)).hasMessageContainingAll("missing", "make the database");
        SqlSettings nobody = new SqlSettings(mine.url(), "nobody-here", Optional.empty(), "a-cluster", 4);
        assertThatThrownBy(() -> open(nobody)).hasMessageContainingAll("nobody-here", "check the user");
        SqlSettings gone = new SqlSettings(
                "jdbc:postgresql://127.0.0.1:1/postgres", mine.user(), Optional.empty(), "a-cluster", 4);
        assertThatThrownBy(() -> open(gone)).hasMessageContaining("check that the database runs");
        assertThatThrownBy(() ->
                        new SqlSettings(mine.url() + "?password=x", mine.user(), Optional.empty(), "a-cluster", 4))
                .hasMessageContaining("must not hold a password");
    }

    /** The driver tells of the last host alone. */
    @Test
    void shouldSayOfEachHostWhyItDoesNotServe() {
        SqlSettings mine = postgres.settings();
        String live = mine.url().replaceFirst(".*//([^/]*)/.*", "$1");
        for (String hosts : List.of(live + ",127.0.0.1:1", "127.0.0.1:1," + live)) {
            SqlSettings wrong = new SqlSettings(
                    "jdbc:postgresql://" + hosts + "/postgres", "nobody-here", Optional.empty(), "a-cluster", 4);
            assertThatThrownBy(() -> open(wrong))
                    .hasMessageContainingAll(live + ": FATAL", "nobody-here", "127.0.0.1:1: ", "check the user");
            assertThat(DatabaseExam.of(wrong, true))
                    .singleElement()
                    .satisfies(each -> assertThat(each.what()).contains("check the user"));
        }
        SqlSettings standby = new SqlSettings(
                "jdbc:postgresql://" + live + ",127.0.0.1:1/postgres?targetServerType=secondary",
                mine.user(),
                Optional.empty(),
                "a-cluster",
                4);
        assertThatThrownBy(() -> open(standby)).hasMessageContaining(live + ": it takes connections");
    }

    /** As a server, or a role, that reads a backslash as the beginning of an escape. */
    @Test
    void shouldReadNamesWithBackslashesWhateverTheRoleSays() throws Exception {
        makeRestricted();
        postgres.execute("ALTER ROLE restricted SET standard_conforming_strings = off");
        Row first = new Row(Schema.SETTINGS.key("a\\nb"), "x");
        Row second = new Row(Schema.SETTINGS.key("a\\nc"), "y");
        try (DatabaseStore store = open(restricted())) {
            commit(store, new Mutation.Put(first), new Mutation.Put(second));
            SqlTables tables = new SqlTables();
            try (ReadPool readers = new ReadPool(1, "a test")) {
                SqlSnapshot snapshot = SqlSnapshot.take(restricted(), tables, readers);
                assertThat(snapshot.page(Schema.SETTINGS, first.key())
                                .toCompletableFuture()
                                .join())
                        .contains(second)
                        .doesNotContain(first);
                snapshot.close();
            }
        }
    }
}
