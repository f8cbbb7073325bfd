package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How the change log lies in the tables (PROTOCOL: C1, C2, C4). The row {@link #NEXT} has the position that the next entry gets. It changes
 * in the batch that appends the entry, so that a position is visible only with its entry, and survives whatever the entry survives.
 * Stateless.
 */
public final class ChangeLog {
    /** Before the first entry. */
    public static final long START = 0;
    /** Stands for the position that an entry does not have yet. */
    public static final Key UNPLACED = Schema.CHANGES.key(0L, START);
    /** The position of the next entry; none before the first. */
    public static final Key NEXT = Schema.SEQUENCES.key("change");
    /** The position of the last entry that has been removed; none before the first. */
    public static final Key TRIMMED = Schema.SEQUENCES.key("change.trimmed");

    private static final long FIRST = START + 1;

    private ChangeLog() {}

    /** An entry and its position. */
    public record Entry(long position, Change change) {}

    /** Returns the position that an entry gets, by the row {@link #NEXT}. */
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
        // What is trimmed is looked up last: no entry that the scan has missed can have been there before.
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
