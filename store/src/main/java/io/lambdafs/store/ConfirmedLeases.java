package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Leases of instances whose store may come back older than it was. Whoever keeps the members does not know of that; so each renewal asks the
 * store too whether the epoch lives, and the store, where it has come back older, answers nobody before such leases are over (PROTOCOL: D7).
 * Stateless.
 */
public final class ConfirmedLeases {
    /** A setting that the engine itself answers with; of an engine that never comes back older there is no such row. */
    public static final Key KEY = Schema.SETTINGS.key("store.confirms-leases");

    /** The row of {@link #KEY}. */
    public static final Row ROW = new Row(KEY, "true");

    private ConfirmedLeases() {}

    /** Completes where the store has the epoch; fails {@code FENCED} where it has not, and as a read does where it does not answer. */
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
