package io.lambdafs.store.engine;

import io.lambdafs.store.Column;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import java.util.List;
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
