package io.lambdafs.store;

import java.util.List;

/** One change that a commit makes. Immutable. */
public sealed interface Mutation {
    Key key();

    /**
     * Returns whether any mutation adds an entry to the namespace, or content. All others are small, and must continue
     * when space is short: membership, slots, renames, marks and removals.
     */
    static boolean grow(List<Mutation> mutations) {
        long entries = 0;
        for (Mutation mutation : mutations) {
            if (mutation instanceof Put && mutation.key().table().equals(Schema.SMALL_FILES)) {
                return true;
            }
            entries += mutation instanceof Merge merge ? merge.addedEntries() : 0;
        }
        return entries > 0;
    }

    /** Writes a row, new or existing. The transaction must hold its key exclusively, unless no one else can name it. */
    record Put(Row row) implements Mutation {
        @Override
        public Key key() {
            return row.key();
        }
    }

    /** Removes a row if it exists. The transaction must hold its key exclusively, unless no one else can name it. */
    record Delete(Key key) implements Mutation {}

    /**
     * Updates numbers in a row by commutative deltas, without a lock: concurrent transactions do not wait for each
     * other. A missing row starts from zeros and empty strings.
     *
     * @param limited of {@link Schema#DIRECTORY_TOTALS} only: the commit fails {@code OVER_QUOTA} if the row, as it is
     *     when the commit is made, does not admit the change (PROTOCOL: Q1)
     */
    record Merge(Key key, List<Delta> deltas, boolean limited) implements Mutation {
        public Merge {
            deltas = List.copyOf(deltas);
            if (limited && !key.table().equals(Schema.DIRECTORY_TOTALS)) {
                throw new IllegalArgumentException(key + " has no limits");
            }
        }

        public Merge(Key key, List<Delta> deltas) {
            this(key, deltas, false);
        }

        private long addedEntries() {
            return key.table().equals(Schema.DIRECTORY_STATS)
                    ? deltas.stream()
                            .filter(delta -> delta.kind() == Delta.Kind.ADD && delta.column() == Schema.CHILDREN)
                            .mapToLong(Delta::operand)
                            .sum()
                    : 0;
        }
    }

    /**
     * Appends a row to the change log. The commit assigns it the next position: no lock is needed, and the row becomes
     * visible together with the commit's other changes.
     *
     * @param row of {@link Schema#CHANGES} with {@link ChangeLog#UNPLACED} as its key
     */
    record Append(Row row) implements Mutation {
        public Append {
            if (!row.key().equals(ChangeLog.UNPLACED)) {
                throw new IllegalArgumentException("cannot be appended to the change log: " + row.key());
            }
        }

        @Override
        public Key key() {
            return row.key();
        }
    }

    /** A delta on an {@link Column.Type#INT64} value column. */
    record Delta(int column, Kind kind, long operand) {
        /** The operation applied to value and operand. */
        public enum Kind {
            ADD,
            MAX
        }
    }
}
