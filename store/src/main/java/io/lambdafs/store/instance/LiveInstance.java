package io.lambdafs.store.instance;

import io.lambdafs.model.time.Loop;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An instance that the store knows as alive: it has joined, and was neither fenced nor has it left. Immutable.
 *
 * @param id its name on its platform
 */
public record LiveInstance(long epoch, int deployment, String id, long joinedMillis) {
    private static final int PAGE = 1_000;

    private static LiveInstance of(Row row) {
        return new LiveInstance(row.key().int64(0), (int) row.int64(0), row.string(1), row.int64(2));
    }

    /** Lists all of them by epoch, without locks: one that joins or leaves meanwhile may be in the list or not. */
    public static CompletionStage<List<LiveInstance>> list(MetadataStore store) {
        Pages pages = new Pages(store);
        return Loop.whileTrue(pages::next).thenApply(done -> List.copyOf(pages.found));
    }

    /** The pages read so far; its methods run in sequence. */
    private static final class Pages {
        private final MetadataStore store;
        private final List<LiveInstance> found = new ArrayList<>();
        private @Nullable Long last;

        Pages(MetadataStore store) {
            this.store = store;
        }

        CompletionStage<Boolean> next() {
            StoreTransaction look = store.begin(0);
            return look.scan(new Scan(Schema.EPOCHS, 0L, last, PAGE))
                    .thenCompose(page -> {
                        page.forEach(row -> last = row.key().int64(1));
                        return look.read(
                                        page.stream()
                                                .map(row -> Read.unlocked(Rows.instanceKey(
                                                        row.key().int64(1))))
                                                .toList(),
                                        0)
                                .thenApply(rows -> {
                                    rows.stream()
                                            .filter(Objects::nonNull)
                                            .map(LiveInstance::of)
                                            .forEach(found::add);
                                    return page.size() == PAGE;
                                });
                    })
                    .whenComplete((more, failure) -> look.abort());
        }
    }
}
