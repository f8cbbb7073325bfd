package io.lambdafs.store.snapshot;

import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots that there were at some moment. Those of a lower number than any since can only have become fewer.
 * Immutable.
 */
public final class LiveSnapshots {
    public static final LiveSnapshots NONE = new LiveSnapshots();

    private static final int PAGE = 1_000;

    private final NavigableMap<Long, Long> directories = new TreeMap<>();
    private final List<SnapshotNumber> unswept = new ArrayList<>();

    private LiveSnapshots() {}

    /** Reads them. */
    public static CompletionStage<LiveSnapshots> read(MetadataStore store, long epoch) {
        return page(store, epoch, new LiveSnapshots(), null);
    }

    private static CompletionStage<LiveSnapshots> page(
            MetadataStore store, long epoch, LiveSnapshots found, @Nullable Object after) {
        StoreTransaction look = store.begin(epoch);
        return look.scan(new Scan(Schema.SNAPSHOT_NUMBERS, 0L, after, PAGE))
                .whenComplete((rows, error) -> look.abort())
                .thenCompose(rows -> {
                    rows.forEach(found::add);
                    return rows.size() < PAGE
                            ? CompletableFuture.completedFuture(found)
                            : page(
                                    store,
                                    epoch,
                                    found,
                                    rows.get(rows.size() - 1).key().part(1));
                });
    }

    private void add(Row row) {
        SnapshotNumber number = SnapshotNumber.of(row);
        if (number.isLive()) {
            directories.put(number.number(), number.directoryId());
        } else if (number.writes() > 0) {
            unswept.add(number);
        }
    }

    /** Returns those deleted ones that may keep something. */
    public List<SnapshotNumber> unswept() {
        return List.copyOf(unswept);
    }

    /**
     * Returns the last snapshot that may see a version; 0 if there is none.
     *
     * @param stamp that of a lower or this number does not see it
     * @param number that of a higher number does not see it
     * @param top the only directory whose snapshots may see it; 0 if unknown
     */
    public long last(long stamp, long number, long top) {
        for (Long each : directories.headMap(number, true).descendingKeySet()) {
            if (each <= stamp) {
                return 0;
            }
            if (top == 0 || top == directories.getOrDefault(each, 0L)) {
                return each;
            }
        }
        return 0;
    }
}
