package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.time.Stages;

/**
 * Adds members to the roster that greet or are listed at a join. A member that came and went between two reports of the
 * watch is never reported; but since it registered before, a later list without it shows that it is gone. One timer per
 * such member. Thread-safe.
 */
final class Newcomers {
    private final SessionContext context;
    private final Roster roster;
    private volatile boolean closed;

    Newcomers(SessionContext context, Roster roster) {
        this.context = context;
        this.roster = roster;
    }

    /** Adds a member, which is in the view on return. */
    void knows(Member member) {
        roster.learn(member);
        if (roster.isUnreported(member.epoch())) {
            confirmLater(member);
        }
    }

    private void confirmLater(Member member) {
        context.scheduler().schedule(context.times().lease().toNanos(), () -> {
            if (!closed && roster.isUnreported(member.epoch())) {
                confirm(member);
            }
        });
    }

    private void confirm(Member member) {
        Stages.call(() -> context.coordinator().members()).whenComplete((list, failure) -> {
            if (failure == null && !list.members().containsKey(member.epoch())) {
                roster.forget(member.epoch());
            } else {
                // Not known yet, or listed and about to be reported.
                confirmLater(member);
            }
        });
    }

    void close() {
        closed = true;
    }
}
