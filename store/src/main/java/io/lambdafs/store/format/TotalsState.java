package io.lambdafs.store.format;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The setting that says whether {@link Schema#DIRECTORY_TOTALS} is exact (PROTOCOL: T4). Whoever moves or removes a
 * directory locks it shared; whoever counts, exclusively. Stateless.
 */
public final class TotalsState {
    public static final Key KEY = Schema.SETTINGS.key("totals");

    /** The row of a store whose totals are exact. */
    public static final Row EXACT = new Row(KEY, "exact");

    /** How many directories were moved or removed while totals were not exact. */
    static final Key MOVES = Schema.SEQUENCES.key("totals.moves");

    private TotalsState() {}

    public static boolean isExact(@Nullable Row row) {
        return row != null && row.equals(EXACT);
    }

    /** Returns whether writes keep totals at the level in a row, which may be newer than this build. */
    static boolean isKeptAt(Row level) {
        return Arrays.stream(FormatLevel.values())
                .noneMatch(each -> !each.has(FormatLevel.TOTALS) && each.row().equals(level));
    }

    /**
     * Checks that totals are exact.
     *
     * @throws FsException {@code UNSUPPORTED}
     */
    public static void checkExact(@Nullable Row row) {
        if (!isExact(row)) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "the store keeps no exact totals of its directories"
                            + (row == null ? "" : " yet: they are " + row.string(0))
                            + ": once every instance is of this build, count them (lambdafs upgrade --finalize)");
        }
    }

    /** Returns the row of a store whose totals somebody counts. */
    static Row countedBy(String who) {
        return new Row(KEY, "counted by " + who);
    }

    /** Returns what tells whoever counts that a directory has been moved or removed meanwhile. */
    public static Mutation moved() {
        return new Mutation.Merge(MOVES, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)));
    }
}
