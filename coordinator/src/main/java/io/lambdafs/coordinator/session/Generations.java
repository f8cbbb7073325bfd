package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.Chore;
import io.lambdafs.model.Placement;
import io.lambdafs.model.Stages;
import io.lambdafs.store.Deployments;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deployments that this instance goes by, and the end of its epoch when their number has been changed (PROTOCOL: G2, G3). It learns of
 * that from a member of a later generation, which greets it or is in its view; from the store, where the leader looks once per lease; or
 * from a request that was routed by a later one, which makes it look too. One timer; one look at a time. Thread-safe; {@link #current} is
 * lock-free.
 */
final class Generations {
    private static final Logger log = LoggerFactory.getLogger(Generations.class);
    /** Before the first epoch: of any deployment. */
    private static final Placement UNKNOWN = new Placement(Placement.MAX_DEPLOYMENTS);

    private final SessionContext context;
    private final SessionMembers members;
    private final Joining.SessionEnd end;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile Placement current = UNKNOWN;
    private final Chore chore;

    Generations(SessionContext context, SessionMembers members, Joining.SessionEnd end) {
        this.context = context;
        this.members = members;
        this.end = end;
        this.chore = Chore.every(context.times().lease().toNanos(), context.scheduler(), () -> {
            if (members.leadingEpoch() != 0) {
                ask();
            }
            return CompletableFuture.completedFuture(null);
        });
    }

    /** That of the last epoch that was taken here, or that the store refused here. */
    Placement current() {
        return current;
    }

    /** An epoch was taken under it, or refused. No epoch is live here. */
    void joins(Placement placement) {
        current = placement;
    }

    /** Ends the epoch where a member is of a later generation: it waits for that, and nothing more is answered under it. */
    void look(View view) {
        Member later = later(view);
        if (later != null) {
            end("deployment " + later.deployment() + " has a member of generation " + later.generation());
        }
    }

    /** A member of a later generation than this instance's; null where there is none but those that only have to be fenced. */
    @Nullable
    Member later(View view) {
        int own = current.generation();
        for (Member member : view.members().values()) {
            if (member.generation() > own && !view.absent().contains(member.epoch())) {
                return member;
            }
        }
        return null;
    }

    private void end(String why) {
        end.lost(members.lease().current(), "the number of deployments was changed: " + why);
    }

    /** Begins to look into the store. */
    void start() {
        chore.start();
    }

    void close() {
        chore.close();
    }

    /** Looks into the store now, where nothing does; ends the epoch if the number has been changed. */
    void ask() {
        if (!looking.compareAndSet(false, true)) {
            return;
        }
        Stages.call(() -> Deployments.read(context.store())).whenComplete((found, failure) -> {
            looking.set(false);
            if (failure == null) {
                compare(found);
            }
            // Otherwise the store is away: the next look comes.
        });
    }

    private void compare(Optional<Placement> found) {
        if (found.isPresent() && found.get().isLaterThan(current)) {
            log.info(
                    "The file system has {} deployments now, not {}",
                    found.get().deployments(),
                    current.deployments());
            end("there are " + found.get().deployments());
        }
    }
}
