package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.instance.Deployments;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the deployment generation of this instance and ends its epoch when the number of deployments changes
 * (PROTOCOL: G2, G3). It learns of a change from a member of a later generation, in a greeting or its view; from the
 * store, which the leader checks once per lease; or from a request routed by a later generation, which triggers a
 * check. One timer; one check at a time. Thread-safe; {@link #current} is lock-free.
 */
final class Generations {
    private static final Logger log = LoggerFactory.getLogger(Generations.class);
    /** The placement before the first epoch, which permits any deployment. */
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

    /** Returns the placement of the last epoch taken by, or refused to, this instance. */
    Placement current() {
        return current;
    }

    /** Sets the placement under which an epoch was taken or refused. No epoch is live here. */
    void joins(Placement placement) {
        current = placement;
    }

    /** Ends the epoch if a member is of a later generation, which waits for that; nothing more is answered under it. */
    void look(View view) {
        Member later = later(view);
        if (later != null) {
            end("deployment " + later.deployment() + " has a member of generation " + later.generation());
        }
    }

    /** Returns a member of a later generation; null if there is none except absent ones. */
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

    /** Starts checking the store. */
    void start() {
        chore.start();
    }

    void close() {
        chore.close();
    }

    /** Checks the store now, unless a check is running; ends the epoch if the number has changed. */
    void ask() {
        if (!looking.compareAndSet(false, true)) {
            return;
        }
        Stages.call(() -> Deployments.read(context.store())).whenComplete((found, failure) -> {
            looking.set(false);
            if (failure == null) {
                compare(found);
            }
            // Otherwise the store is unavailable: the next check will come.
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
