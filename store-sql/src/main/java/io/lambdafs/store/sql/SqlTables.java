package io.lambdafs.store.sql;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables of the schema that have rows, in the schema's order. Immutable. */
final class SqlTables {
    private final Map<Table, SqlTable> tables = Schema.TABLES.stream()
            .filter(Table::hasRows)
            .collect(Collectors.toMap(table -> table, SqlTable::new, (one, other) -> one, LinkedHashMap::new));

    Collection<SqlTable> all() {
        return tables.values();
    }

    SqlTable get(Table table) {
        SqlTable known = tables.get(table);
        if (known == null) {
            throw new IllegalArgumentException(table + " has no rows");
        }
        return known;
    }

    /**
     * Reads rows by one message with a statement per table, and so as one snapshot; rows that do not exist are not in
     * the map.
     */
    Map<Key, Row> read(Connection connection, Collection<Key> keys) throws SQLException {
        Map<Table, List<Key>> byTable = new LinkedHashMap<>();
        for (Key key : keys) {
            if (key.table().hasRows()) {
                byTable.computeIfAbsent(key.table(), table -> new ArrayList<>()).add(key);
            }
        }
        return byTable.isEmpty() ? Map.of() : read(connection, byTable);
    }

    private Map<Key, Row> read(Connection connection, Map<Table, List<Key>> byTable) throws SQLException {
        String statements = byTable.entrySet().stream()
                .map(each -> get(each.getKey()).select(each.getValue().size() == 1))
                .collect(Collectors.joining("; "));
        Map<Key, Row> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(statements)) {
            int parameter = 1;
            for (Map.Entry<Table, List<Key>> each : byTable.entrySet()) {
                List<Key> keys = each.getValue();
                parameter = get(each.getKey()).bindKeys(statement, parameter, keys, keys.size() == 1);
            }
            statement.execute();
            for (Table each : byTable.keySet()) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        Row row = get(each).row(rows);
                        found.put(row.key(), row);
                    }
                }
                statement.getMoreResults();
            }
        }
        return found;
    }
}
