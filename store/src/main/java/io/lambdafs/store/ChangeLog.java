package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Maps the change log to tables (PROTOCOL: C1, C2, C4). The row {@link #NEXT} holds the next entry's position. It
 * changes in the batch that appends the entry, so a position is exactly as visible and durable as its entry. Stateless.
 */
public final class ChangeLog {
    /** The position before the first entry. */
    public static final long START = 0;
    /** The placeholder key of an entry not yet given a position. */
    public static final Key UNPLACED = Schema.CHANGES.key(0L, START);
    /** The row with the position of the next entry; absent before the first. */
    public static final Key NEXT = Schema.SEQUENCES.key("change");
    /** The row with the position of the last removed entry; absent before the first removal. */
    public static final Key TRIMMED = Schema.SEQUENCES.key("change.trimmed");

    private static final long FIRST = START + 1;

    private ChangeLog() {}

    /** An entry and its position. */
    public record Entry(long position, Change change) {}

    /** Returns the position for an entry, given the row {@link #NEXT}. */
    public static long position(@Nullable Row next) {
        return next == null ? FIRST : next.int64(0);
    }

    /** Returns the row {@link #NEXT} after an entry. */
    public static Row after(long position) {
        return new Row(NEXT, position + 1);
    }

    /** Returns the key of an entry. */
    public static Key key(long position) {
        return Schema.CHANGES.key(0L, position);
    }

    /** Implements {@link MetadataStore#changes} over rows. */
    static CompletionStage<List<Entry>> read(MetadataStore store, long after, int limit) {
        StoreTransaction transaction = store.begin(0);
        // The trimmed position is read last, so an entry missing from the scan cannot have been trimmed unnoticed.
        return transaction
                .scan(new Scan(Schema.CHANGES, 0L, after, limit))
                .thenCompose(rows -> transaction
                        .readAndEnd(List.of(Read.unlocked(TRIMMED)), 0)
                        .thenApply(found -> entries(after, rows, found.get(0))))
                .whenComplete((entries, failure) -> transaction.abort());
    }

    private static List<Entry> entries(long after, List<Row> rows, @Nullable Row trimmed) {
        if (trimmed != null && trimmed.int64(0) > after) {
            throw new FsException(
                    ErrorCode.NOT_FOUND,
                    "the change log begins after position " + trimmed.int64(0) + ", and those after " + after
                            + " were asked for: read the namespace, then the changes after "
                            + trimmed.int64(0));
        }
        return rows.stream()
                .map(row -> new Entry(row.key().int64(1), Change.of(row)))
                .toList();
    }
}
