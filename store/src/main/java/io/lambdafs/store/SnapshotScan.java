package io.lambdafs.store;

import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a table in a snapshot. Immutable.
 *
 * @param snapshot its name
 * @param table one that has rows
 * @param after the key that the page starts after; null for the first page
 */
public record SnapshotScan(
        String snapshot, Table table, @Nullable Key after) {
    public SnapshotScan {
        if (!table.hasRows()) {
            throw new IllegalArgumentException(table + " has no rows");
        }
        if (after != null && !after.table().equals(table)) {
            throw new IllegalArgumentException("not a key of " + table + ": " + after);
        }
    }
}
