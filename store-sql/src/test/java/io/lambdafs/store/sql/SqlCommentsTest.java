package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever looks at a table by SQL is told what it is, also in a database that an earlier build made. */
class SqlCommentsTest {
    private static final String IN_DATABASE = "SELECT c.relname || coalesce('.' || a.attname, ''), d.description"
            + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'lambdafs'"
            + " CROSS JOIN LATERAL (SELECT NULL::name, 0 UNION ALL SELECT attname, attnum FROM pg_attribute"
            + " WHERE attrelid = c.oid AND attnum > 0) AS a (attname, attnum)"
            + " LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = a.attnum"
            + " WHERE c.relkind = 'r'";

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Map<String, String> wanted = new SqlComments(new SqlTables()).wanted();
    private @Nullable TestPostgres postgres;

    @BeforeEach
    void empty() throws Exception {
        postgres = TestPostgres.emptied();
    }

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private void open(SqlSettings settings) {
        SqlStore.open(scheduler, StoreLimits.defaults(), settings, CommitObserver.NONE)
                .close();
    }

    /** Returns the comments of all tables and columns; empty if there is none. */
    private Map<String, String> inDatabase() throws SQLException {
        Map<String, String> found = new TreeMap<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(IN_DATABASE)) {
            while (row.next()) {
                found.put(row.getString(1), row.getString(2) == null ? "" : row.getString(2));
            }
        }
        return found;
    }

    @Test
    void shouldDescribeEveryTableAndColumnOfANewDatabase() throws Exception {
        open(postgres.settings());
        assertThat(inDatabase()).isEqualTo(wanted).containsKeys("holder.life", "inodes.unknown_columns");
    }

    @Test
    void shouldPrintThemForAnAdministrator() throws Exception {
        postgres.execute(String.join(";", SqlStore.schema()));
        assertThat(inDatabase()).isEqualTo(wanted);
    }

    @Test
    void shouldBringThemToTablesOfAnEarlierBuild() throws Exception {
        open(postgres.settings());
        postgres.execute("COMMENT ON TABLE lambdafs.blocks IS NULL");
        postgres.execute("COMMENT ON COLUMN lambdafs.inodes.kind IS 'something else'");
        postgres.execute("COMMENT ON COLUMN lambdafs.holder.held IS NULL");
        open(postgres.settings());
        assertThat(inDatabase()).isEqualTo(wanted);
    }

    private void openAsWhoMayMakeNothing() throws SQLException {
        postgres.execute(String.join(";", SqlStore.schema()));
        postgres.execute("COMMENT ON TABLE lambdafs.blocks IS 'the administrator''s'");
        postgres.execute("CREATE ROLE restricted LOGIN");
        postgres.execute("GRANT USAGE ON SCHEMA lambdafs TO restricted");
        postgres.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lambdafs TO restricted");
        open(new SqlSettings(postgres.settings().url(), "restricted", Optional.empty(), "a-cluster", 4));
        assertThat(inDatabase()).containsEntry("blocks", "the administrator's");
    }

    @Test
    void shouldServeWhereTheUserMayNotMakeThem() throws Exception {
        openAsWhoMayMakeNothing();
    }

    /** As a database that has not all of PostgreSQL's functions. */
    @Test
    void shouldServeWhereNobodyCanSayWhetherTheyAreThere() throws Exception {
        postgres.execute("REVOKE EXECUTE ON FUNCTION pg_has_role(oid, text) FROM PUBLIC");
        try {
            openAsWhoMayMakeNothing();
        } finally {
            postgres.execute("GRANT EXECUTE ON FUNCTION pg_has_role(oid, text) TO PUBLIC");
        }
    }

    /** As by VACUUM, which runs for hours. */
    @Test
    void shouldNotWaitForWhoeverIsAtWorkOnATable() throws Exception {
        open(postgres.settings());
        postgres.execute("COMMENT ON TABLE lambdafs.blocks IS NULL");
        try (Connection busy = postgres.connect();
                Statement lock = busy.createStatement()) {
            busy.setAutoCommit(false);
            lock.execute("LOCK TABLE lambdafs.blocks IN SHARE UPDATE EXCLUSIVE MODE");
            open(postgres.settings());
            assertThat(inDatabase()).containsEntry("blocks", "");
        }
        open(postgres.settings());
        assertThat(inDatabase()).isEqualTo(wanted);
    }
}
