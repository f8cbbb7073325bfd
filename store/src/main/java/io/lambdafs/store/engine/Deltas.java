package io.lambdafs.store.engine;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Applies a {@link Mutation.Merge} to a row. Stateless. */
public final class Deltas {
    private static final byte[] NO_BYTES = new byte[0];

    private Deltas() {}

    /**
     * Returns the merged row; a missing row starts from defaults, or else zeros, empty strings and empty bytes. Sums
     * wrap around.
     */
    public static Row apply(@Nullable Row current, Mutation.Merge merge) {
        Object[] values = current == null ? blank(merge.key().table().valueColumns()) : current.values();
        for (Mutation.Delta delta : merge.deltas()) {
            long value = (Long) values[delta.column()];
            values[delta.column()] = switch (delta.kind()) {
                case ADD -> value + delta.operand();
                case MAX -> Math.max(value, delta.operand());
            };
        }
        Row merged = new Row(merge.key(), values);
        return current == null ? merged : merged.withUnknown(current.unknown());
    }

    /**
     * Returns whether the rows, as they are now, admit all of a commit's limited merges (PROTOCOL: Q1).
     *
     * @param current the row of a key; null if there is none
     */
    public static boolean admits(List<Mutation> commit, Function<Key, @Nullable Row> current) {
        for (Mutation mutation : commit) {
            if (mutation instanceof Mutation.Merge merge
                    && merge.limited()
                    && !admits(current.apply(merge.key()), merge)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a row admits a merge, if that is limited. */
    public static boolean admits(@Nullable Row current, Mutation.Merge merge) {
        Quota quota = Rows.quota(current);
        if (!merge.limited() || quota.equals(Quota.UNLIMITED)) {
            return true;
        }
        DirectoryTotals before = Rows.totals(current);
        DirectoryTotals more = Rows.totals(apply(current, merge)).minus(before);
        return quota.admitsNames(before, more) && quota.admitsSpace(before, more);
    }

    /** Returns the failure of a commit that is not admitted. */
    public static FsException overQuota() {
        return new FsException(
                ErrorCode.OVER_QUOTA, "the commit would have led over a quota; nothing was changed, try again");
    }

    /** Rejects a merge of a column that does not exist or is not a number. */
    static void check(Mutation.Merge merge) {
        List<Column> columns = merge.key().table().valueColumns();
        for (Mutation.Delta delta : merge.deltas()) {
            int column = delta.column();
            if (column < 0 || column >= columns.size() || columns.get(column).type() != Column.Type.INT64) {
                throw new IllegalArgumentException(
                        "column " + column + " of " + merge.key().table() + " takes no deltas");
            }
        }
    }

    private static Object[] blank(List<Column> columns) {
        Object[] values = new Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            Object fallback = columns.get(i).fallback();
            values[i] = fallback != null
                    ? fallback
                    : switch (columns.get(i).type()) {
                        case INT64 -> 0L;
                        case STRING -> "";
                        case BYTES -> NO_BYTES;
                    };
        }
        return values;
    }
}
