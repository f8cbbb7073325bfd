package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An engine's rows at one moment. Used by one caller at a time. Failures are {@code FsException}s. */
public interface RowSnapshot {
    /** A page ends after the row with which it reaches this. */
    int PAGE_BYTES = 1 << 20;

    /** Snapshots that a store has open at once. */
    int MAX_OPEN = 4;

    /** A snapshot that nobody reads for this long is given up: what it keeps from being removed takes room. */
    Duration IDLE_LIMIT = Duration.ofMinutes(5);

    /** Rows of a table after a key, null for the first ones, in the order of the keys; none where no more follow. */
    CompletionStage<List<Row>> page(Table table, @Nullable Key after);

    /** Gives it up. Must not block for long. */
    void close();

    /** The answer of an engine without snapshots. */
    static FsException unsupported() {
        return new FsException(
                ErrorCode.UNSUPPORTED,
                "this store's engine keeps no versions of its rows, and so has no snapshots: use the engine's own backup");
    }
}
