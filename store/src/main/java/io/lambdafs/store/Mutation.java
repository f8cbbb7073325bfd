package io.lambdafs.store;

import java.util.List;

/** One change that a commit makes. Immutable. */
public sealed interface Mutation {
    Key key();

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
    }

    /** A delta on an {@link Column.Type#INT64} value column. */
    record Delta(int column, Kind kind, long operand) {
        /** How the operand meets the value. */
        public enum Kind {
            ADD,
            MAX
        }
    }
}
