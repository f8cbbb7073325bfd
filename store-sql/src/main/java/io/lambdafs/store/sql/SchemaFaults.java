package io.lambdafs.store.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Collects the faults of the tables found. Confined to one thread. */
final class SchemaFaults {
    private static final String IN_SCHEMA = " of the schema " + SqlTable.SCHEMA;
    private static final String BEGIN_ANEW = "restore a backup; to begin anew and empty, drop the whole schema";

    private final FoundTables found;
    private final String user;
    private final List<DatabaseExam.Fault> faults = new ArrayList<>();

    SchemaFaults(FoundTables found, String user) {
        this.found = found;
        this.user = user;
    }

    List<DatabaseExam.Fault> all() {
        return faults;
    }

    private void add(String what, String why, String change) {
        faults.add(new DatabaseExam.Fault(what, why, change));
    }

    /** Checks that transactions may write; passes over a standby, which may be promoted. */
    void readOnly(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('default_transaction_read_only') = 'on'"
                        + " AND NOT pg_is_in_recovery()")) {
            row.next();
            if (row.getBoolean(1)) {
                add(
                        "transactions of the user " + user + " are read-only",
                        "the store cannot write",
                        "ALTER ROLE " + user + " SET default_transaction_read_only = off, or the same of the database");
            }
        }
    }

    void rights() {
        if (!found.mayUseSchema()) {
            add(
                    "the user " + user + " may not use the schema " + SqlTable.SCHEMA,
                    "the store can read and write nothing",
                    "GRANT USAGE ON SCHEMA " + SqlTable.SCHEMA + " TO " + user);
        }
        found.tables().forEach((table, each) -> {
            if (!each.lacks().isEmpty()) {
                add(
                        "the user " + user + " lacks " + each.lacks() + " on the table " + table,
                        "operations that need it fail",
                        "GRANT " + each.lacks() + " ON " + SqlTable.SCHEMA + "." + table + " TO " + user);
            }
        });
    }

    void lost(Set<String> tables, Set<String> columns) {
        if (!tables.isEmpty()) {
            add(
                    "the database has lost the tables " + String.join(", ", tables) + IN_SCHEMA
                            + ", and what was in them",
                    "the store would serve without it",
                    BEGIN_ANEW);
        }
        if (!columns.isEmpty()) {
            add(
                    "the database has lost the columns " + String.join(", ", columns) + IN_SCHEMA
                            + ", and what was in them",
                    "the store would serve without it",
                    BEGIN_ANEW);
        }
    }

    /** Checks a table; a missing one is no fault here. */
    void table(SqlTable table) {
        FoundTables.Found there = found.tables().get(table.tableName());
        if (there == null) {
            return;
        }
        key(table.tableName(), table.keyNames());
        table.types().forEach((column, type) -> {
            String is = there.columns().getOrDefault(column, type);
            if (!is.equals(type)) {
                add(
                        "the column " + table.tableName() + "." + column + " is " + is + ", not " + type,
                        "rows are read wrongly, or in another order",
                        "restore a backup, or ALTER TABLE " + SqlTable.SCHEMA + "." + table.tableName()
                                + " ALTER COLUMN \"" + column + "\" TYPE " + type.replace(" NOT NULL", "")
                                + ", ALTER COLUMN \"" + column + "\" SET NOT NULL");
            }
        });
    }

    /** Checks that a table is durable and visible, and has the primary key that keeps rows unique. */
    void key(String table, String columns) {
        FoundTables.Found there = found.tables().get(table);
        if (there == null) {
            return;
        }
        String alter = "ALTER TABLE " + SqlTable.SCHEMA + "." + table;
        if (!columns.equals(there.key())) {
            add(
                    "the table " + table + " has "
                            + (there.key() == null ? "no primary key" : "the primary key " + there.key()) + ", not ("
                            + columns + ")",
                    "writes fail, and a row may be there twice",
                    alter + " ADD PRIMARY KEY (" + columns + ")");
        }
        if (there.isUnlogged()) {
            add(
                    "the table " + table + " is UNLOGGED",
                    "a crash empties it, and no standby has it",
                    alter + " SET LOGGED");
        }
        if (there.hidesRows()) {
            add(
                    "row security applies to " + user + " in the table " + table,
                    "rows are hidden from the store",
                    alter + " DISABLE ROW LEVEL SECURITY, or ALTER ROLE " + user + " BYPASSRLS");
        }
    }
}
