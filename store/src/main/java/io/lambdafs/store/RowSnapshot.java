package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A snapshot of an engine's rows at one moment. Used by one caller at a time. Failures are {@code FsException}s. */
public interface RowSnapshot {
    /** Target size of a page: it ends with the row that reaches it. */
    int PAGE_BYTES = 1 << 20;

    /** Maximum number of open snapshots per store. */
    int MAX_OPEN = 4;

    /** Maximum number of rows that are summed up at once. */
    int MAX_SUMMED = 1 << 20;

    /** Idle time after which a snapshot is closed, because it keeps old rows from being removed. */
    Duration IDLE_LIMIT = Duration.ofMinutes(5);

    /** Returns the rows of a table after a key (null for the first page), in key order; empty at the end. */
    CompletionStage<List<Row>> page(Table table, @Nullable Key after);

    /** Closes the snapshot. Must not block for long. */
    void close();

    /** Returns the failure of an engine without snapshots. */
    static FsException unsupported() {
        return new FsException(
                ErrorCode.UNSUPPORTED,
                "this store's engine keeps no versions of its rows, and so has no snapshots: use the engine's own backup");
    }
}
