package io.lambdafs.store.instance;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Confirms leases with a store that may come back older, for instance restored from a backup. The coordinator cannot
 * know about that, so each renewal also asks the store whether the epoch is alive, and a store that came back older
 * answers nobody until such leases are over (PROTOCOL: D7). Stateless.
 */
public final class ConfirmedLeases {
    /** A setting served by the engine itself; absent for engines that never come back older. */
    public static final Key KEY = Schema.SETTINGS.key("store.confirms-leases");

    /** The row of {@link #KEY}. */
    public static final Row ROW = new Row(KEY, "true");

    /** The longest lease that is over when a store that came back older answers again. */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    private ConfirmedLeases() {}

    /**
     * Completes if the store has the epoch; fails {@code FENCED} if it has not, or as a read does if it does not
     * answer.
     */
    public static CompletionStage<Void> confirm(MetadataStore store, long epoch) {
        return store.begin(epoch)
                .readAndEnd(List.of(Read.unlocked(Rows.instanceKey(epoch))), 0)
                .thenAccept(rows -> {
                    if (rows.get(0) == null) {
                        throw new FsException(
                                ErrorCode.FENCED,
                                "the store does not know the epoch " + epoch + " any more; join again");
                    }
                });
    }
}
