package io.lambdafs.store;

import java.util.List;

/** One change that a commit makes. Immutable. */
public sealed interface Mutation {
    Key key();

    /**
     * Whether some changes add an entry to the namespace, or a content. All others are small, and what they change (who lives, which answer
     * was given, what is renamed, marked or removed) must go on when space is short.
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

    /** Writes a row, whether it existed or not. The transaction holds its key exclusively, unless nobody else can name it. */
    record Put(Row row) implements Mutation {
        @Override
        public Key key() {
            return row.key();
        }
    }

    /** Removes a row if it is there. The transaction holds its key exclusively, unless nobody else can name it. */
    record Delete(Key key) implements Mutation {}

    /**
     * Changes numbers of a row by commutative deltas, without a lock: many transactions may do so at once, and none waits. A row
     * that is not there starts from zeros and empty strings.
     */
    record Merge(Key key, List<Delta> deltas) implements Mutation {
        public Merge {
            deltas = List.copyOf(deltas);
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
     * Appends a row to the change log. The commit gives it its position, the next one: no lock is needed, and none of the commit's other
     * changes is visible without it.
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
        /** The operation on value and operand. */
        public enum Kind {
            ADD,
            MAX
        }
    }
}
