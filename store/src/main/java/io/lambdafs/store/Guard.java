package io.lambdafs.store;

import org.jspecify.annotations.Nullable;

/** A condition of a {@link GuardedCommit} on the row that one of its reads finds. Immutable. */
public sealed interface Guard {
    boolean holds(@Nullable Row row);

    /** The row is there, whatever it says. */
    record Present() implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row != null;
        }
    }

    /** There is no row. */
    record Absent() implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row == null;
        }
    }

    /** The row is there and equals this one in every column. */
    record Same(Row expected) implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row != null && row.equals(expected);
        }
    }

    /** The row is there, and its first value column, a number, is below the limit. */
    record Below(long limit) implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row != null && row.int64(0) < limit;
        }
    }

    /** Nothing: its read only locks. */
    record Any() implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return true;
        }
    }
}
