package io.lambdafs.store.sql;

import io.lambdafs.store.engine.SchemaComments;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The comments on tables and columns, for people who query the database. The store serves without them: it sets those
 * that differ if it owns the table, which an earlier build may have created, and leaves the others alone. Immutable.
 */
final class SqlComments {
    private static final Logger LOG = LoggerFactory.getLogger(SqlComments.class);

    private static final String UNKNOWN = "Columns that a later version has added, in its own encoding";
    private static final Map<String, String> OF_HOLDER = Map.of(
            "holder",
            "Which store server has the database; one row",
            "holder.one",
            "1",
            "holder.cluster",
            "Id of the cluster whose tables these are",
            "holder.format",
            "Of the tables",
            "holder.incarnation",
            "Of the store server that took the database last",
            "holder.last_group",
            "Number of the last group of commits",
            "holder.held",
            "false where that server left in order",
            "holder.life",
            "Timeline and table number, by which a restored database is recognised",
            "holder.tables",
            "Tables that were made: one that is missing was lost",
            "holder.columns",
            "Columns with defaults that were made");

    /** Reads the comments on the tables that the user owns. */
    private static final String FOUND = "SELECT c.relname, a.attname, d.description FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " LEFT JOIN pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass"
            + " LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0"
            + " WHERE n.nspname = '" + SqlTable.SCHEMA
            + "' AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'USAGE')";

    private final Map<String, String> wanted = new LinkedHashMap<>();

    SqlComments(SqlTables tables) {
        OF_HOLDER.keySet().stream().sorted().forEach(each -> wanted.put(each, OF_HOLDER.get(each)));
        for (SqlTable table : tables.all()) {
            wanted.put(table.tableName(), SchemaComments.of(table.table()));
            table.columns()
                    .forEach(column -> wanted.put(
                            table.tableName() + '.' + column.name(), SchemaComments.of(table.table(), column)));
            wanted.put(table.tableName() + '.' + SqlTable.UNKNOWN, UNKNOWN);
        }
    }

    /** Returns all of them, by {@code table} and {@code table.column}. */
    Map<String, String> wanted() {
        return wanted;
    }

    /** Returns the statements that set all of them. Idempotent. */
    List<String> statements() {
        return wanted.entrySet().stream()
                .map(each -> statement(each.getKey(), each.getValue()))
                .toList();
    }

    private static String statement(String name, String comment) {
        int dot = name.indexOf('.');
        String on = dot < 0
                ? "TABLE " + SqlTable.SCHEMA + "." + name
                : "COLUMN " + SqlTable.SCHEMA + "." + name.substring(0, dot) + ".\"" + name.substring(dot + 1) + '"';
        return "COMMENT ON " + on + " IS '" + comment.replace("'", "''") + "'";
    }

    /** Sets those that differ, over a connection that is in no transaction; no table may be missing. */
    void ensure(Connection connection) throws SQLException {
        try {
            List<String> missing = missing(connection);
            if (!missing.isEmpty()) {
                make(connection, missing);
            }
        } catch (SQLException e) {
            if (SqlFailure.isConnection(e)) {
                throw e;
            }
            LOG.info("The comments on the tables were not made: {}", e.getMessage());
        }
    }

    private static void make(Connection connection, List<String> missing) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // Does not wait for work on a table, such as VACUUM: the next start sets them.
            statement.execute("SET LOCAL lock_timeout = '1s'");
            statement.execute(String.join("; ", missing));
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private List<String> missing(Connection connection) throws SQLException {
        Set<String> owned = new HashSet<>();
        Map<String, String> found = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(FOUND)) {
            while (row.next()) {
                String table = row.getString(1);
                owned.add(table);
                found.put(row.getString(2) == null ? table : table + '.' + row.getString(2), row.getString(3));
            }
        }
        List<String> missing = new ArrayList<>();
        wanted.forEach((name, comment) -> {
            boolean mine = owned.contains(name.replaceFirst("\\..*", ""));
            if (mine && !comment.equals(found.get(name))) {
                missing.add(statement(name, comment));
            }
        });
        return missing;
    }
}
