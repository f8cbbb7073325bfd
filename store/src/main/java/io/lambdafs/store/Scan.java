package io.lambdafs.store;

import org.jspecify.annotations.Nullable;

/**
 * A request for a page of one partition of a table with two key columns, in key order. Reads committed rows at one
 * moment, without locks.
 *
 * @param partition value of the first key column, {@code Long} or {@code String}
 * @param after the second key part that the page starts after, {@code Long} or {@code String}; null for the first page
 * @param limit 1–{@value #MAX_LIMIT} rows
 */
public record Scan(Table table, Object partition, @Nullable Object after, int limit) {
    public static final int MAX_LIMIT = 10_001;

    public Scan {
        if (table.keyColumns().size() != 2) {
            throw new IllegalArgumentException(table + " cannot be scanned");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("a scan reads 1.." + MAX_LIMIT + " rows, not " + limit);
        }
    }
}
