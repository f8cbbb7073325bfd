package io.lambdafs.coordinator.session;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Stages;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * This instance's ended epochs that must still be killed in the store and then removed from the membership. At most one
 * is added per join attempt, and each attempt first retires all. Used on the session's serial executor only.
 */
final class EndedEpochs {
    private final SessionContext context;
    private final Roster roster;
    private final Executor serial;
    private final Set<Long> epochs = new LinkedHashSet<>();

    EndedEpochs(SessionContext context, Roster roster, Executor serial) {
        this.context = context;
        this.roster = roster;
        this.serial = serial;
    }

    void add(long epoch) {
        epochs.add(epoch);
    }

    /** Retires all; failed ones stay for the next time. Takes at most one attempt's time. */
    CompletionStage<@Nullable Void> retire() {
        List<CompletableFuture<@Nullable Void>> all = new ArrayList<>();
        for (long epoch : List.copyOf(epochs)) {
            CompletableFuture<@Nullable Void> one = new CompletableFuture<>();
            Stages.copy(retire(epoch), one);
            all.add(one);
        }
        return Stages.within(
                CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])),
                context.times().attempt().toNanos(),
                context.scheduler(),
                () -> FsException.unavailable("coordinator or store did not answer while an epoch was retired"));
    }

    private CompletionStage<@Nullable Void> retire(long epoch) {
        return Stages.call(() -> context.store().fence(epoch))
                .thenCompose(dead -> context.coordinator().forget(epoch))
                .thenAcceptAsync(
                        forgotten -> {
                            epochs.remove(epoch);
                            roster.forget(epoch);
                        },
                        serial);
    }
}
