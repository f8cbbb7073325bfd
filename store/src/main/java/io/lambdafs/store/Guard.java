package io.lambdafs.store;

import org.jspecify.annotations.Nullable;

/** A condition of a {@link GuardedCommit} on the row found by one of its reads. Immutable. */
public sealed interface Guard {
    boolean holds(@Nullable Row row);

    /** The row exists. */
    record Present() implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row != null;
        }
    }

    /** The row does not exist. */
    record Absent() implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row == null;
        }
    }

    /** The row exists and equals this one in every column. */
    record Same(Row expected) implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row != null && row.equals(expected);
        }
    }

    /** The row exists and its first value column, a number, is below the limit. */
    record Below(long limit) implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return row != null && row.int64(0) < limit;
        }
    }

    /** No condition: the read only takes a lock. */
    record Any() implements Guard {
        @Override
        public boolean holds(@Nullable Row row) {
            return true;
        }
    }
}
