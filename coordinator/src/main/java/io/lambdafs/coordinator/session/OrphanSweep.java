package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.View;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills epochs that never became members because their instance crashed before registering. The leader checks every two
 * attempt times and kills an epoch that was no member in two checks; an instance that takes longer than one attempt
 * time from taking its epoch to registering gives the epoch up itself ({@link Joining}). One timer; one check at a
 * time. Thread-safe.
 */
final class OrphanSweep {
    private static final Logger log = LoggerFactory.getLogger(OrphanSweep.class);
    private static final int MAX_EPOCHS = 10_000;

    private final SessionContext context;
    private final SessionMembers members;
    private final Chore chore;
    /** Accessed by one check at a time. */
    private volatile Set<Long> suspects = Set.of();

    OrphanSweep(SessionContext context, SessionMembers members) {
        this.context = context;
        this.members = members;
        this.chore = Chore.every(2 * context.times().attempt().toNanos(), context.scheduler(), this::lookAndForget);
    }

    /** Starts checking; the first check is after one period. */
    void start() {
        chore.start();
    }

    void close() {
        chore.close();
    }

    private CompletionStage<Void> lookAndForget() {
        return Stages.call(this::look).whenComplete((looked, failure) -> {
            if (failure != null) {
                // Coordinator or store is unavailable: drop all suspicions.
                suspects = Set.of();
            }
        });
    }

    private CompletionStage<Void> look() {
        if (chore.isClosed() || members.leadingEpoch() == 0) {
            suspects = Set.of();
            return CompletableFuture.completedFuture(null);
        }
        StoreTransaction transaction = context.store().begin(0);
        // Members after epochs: an epoch that registered in between is not taken for an orphan.
        return transaction
                .scan(new Scan(Schema.EPOCHS, 0L, null, MAX_EPOCHS))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenCompose(rows -> context.coordinator().members().thenCompose(view -> compare(rows, view)));
    }

    private CompletionStage<Void> compare(List<Row> rows, View view) {
        Set<Long> orphans = new HashSet<>();
        for (Row row : rows) {
            long epoch = row.key().int64(1);
            if (!view.members().containsKey(epoch)) {
                orphans.add(epoch);
            }
        }
        List<CompletableFuture<Void>> kills = new ArrayList<>();
        for (Long epoch : orphans) {
            if (suspects.contains(epoch)) {
                log.info("Epoch {} was taken and never joined: it is removed", epoch);
                kills.add(context.store().fence(epoch).toCompletableFuture());
            }
        }
        suspects = orphans;
        return CompletableFuture.allOf(kills.toArray(new CompletableFuture<?>[0]));
    }
}
