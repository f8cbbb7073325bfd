package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Stages;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fences other instances' epochs (PROTOCOL: E3): refuses renewals, waits for the lease to run out from then on, kills
 * the epoch's row in the store, and only then removes the member. Concurrent fences of one epoch share one run. At most
 * one run per known member; each is bounded by {@link io.lambdafs.model.time.Times#transaction}. Thread-safe.
 */
final class Fence {
    /** Determines whether the lease of the epoch may still be running. */
    enum Grace {
        /**
         * It may: wait until it has run out by the instance's clock too ({@link io.lambdafs.model.time.Times#outlasting}).
         */
        LEASE,
        /** It cannot: the instance itself, or the end of its session, says so. */
        NONE
    }

    private static final Logger log = LoggerFactory.getLogger(Fence.class);

    private final SessionContext context;
    private final Roster roster;
    private final Consumer<Member> onFenced;
    private final long graceNanos;
    private final Map<Long, CompletableFuture<@Nullable Void>> running = new ConcurrentHashMap<>();

    /** @param onFenced called with each member fenced; must not block */
    Fence(SessionContext context, Roster roster, Consumer<Member> onFenced) {
        this.context = context;
        this.roster = roster;
        this.onFenced = onFenced;
        this.graceNanos = context.times().outlasting().toNanos();
    }

    /**
     * Fences a member.
     *
     * @return completes when the epoch can neither answer nor commit and the member is removed; fails with {@code
     *     UNAVAILABLE} if the coordinator or the store cannot be reached
     */
    CompletionStage<@Nullable Void> member(Member member, Grace grace) {
        CompletableFuture<@Nullable Void> run = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> other = running.putIfAbsent(member.epoch(), run);
        if (other != null) {
            return other;
        }
        log.info(
                "Fencing epoch {} (deployment {}, instance {})",
                member.epoch(),
                member.deployment(),
                member.instance());
        run.whenComplete((done, failure) -> running.remove(member.epoch(), run));
        CompletionStage<@Nullable Void> steps = Stages.within(
                refuse(member, grace),
                context.times().transaction().toNanos(),
                context.scheduler(),
                () -> unreachable(member, null));
        steps.whenComplete((done, failure) -> {
            if (failure == null) {
                log.info("Fenced epoch {}", member.epoch());
                onFenced.accept(member);
                run.complete(null);
            } else {
                log.warn(
                        "Epoch {} could not be fenced: {}",
                        member.epoch(),
                        FsException.of(failure).getMessage());
                run.completeExceptionally(unreachable(member, failure));
            }
        });
        return run;
    }

    private CompletionStage<@Nullable Void> refuse(Member member, Grace grace) {
        return Stages.call(() -> context.coordinator().refuseRenewals(member.epoch()))
                .thenCompose(refused -> outlast(member, grace))
                .thenCompose(over -> context.store().fence(member.epoch()))
                .thenCompose(dead -> context.coordinator().forget(member.epoch()))
                .thenAccept(forgotten -> roster.forget(member.epoch()));
    }

    private CompletionStage<@Nullable Void> outlast(Member member, Grace grace) {
        boolean over = grace == Grace.NONE || roster.view().absent().contains(member.epoch());
        return over ? CompletableFuture.completedFuture(null) : Stages.delay(context.scheduler(), graceNanos);
    }

    private static FsException unreachable(Member member, @Nullable Throwable failure) {
        String why = failure == null
                ? "coordinator or store did not answer in time"
                : String.valueOf(FsException.of(failure).getMessage());
        return FsException.unavailable("instance " + member.instance() + " does not answer and could not be fenced: "
                + why + "; try again when coordinator and store are reachable");
    }
}
