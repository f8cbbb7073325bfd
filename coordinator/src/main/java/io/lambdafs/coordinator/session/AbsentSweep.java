package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.time.Stages;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fences members whose session has ended, in the background, before a writer needs their ACK. The live member with the
 * lowest epoch does so at once; each next one waits one more ACK wait, up to {@value #MAX_WAITS}, and takes over if it
 * is not done by then. At most one task per known member. Thread-safe.
 */
final class AbsentSweep {
    private static final int MAX_WAITS = 10;

    private final SessionContext context;
    private final SessionMembers members;
    private final Set<Long> scheduled = ConcurrentHashMap.newKeySet();

    AbsentSweep(SessionContext context, SessionMembers members) {
        this.context = context;
        this.members = members;
    }

    /** Checks a view for absent members; also called when this instance has just become live. */
    void look(View view) {
        long own = members.lease().joined();
        if (own == 0) {
            return;
        }
        for (Long epoch : view.absent()) {
            if (epoch != own && scheduled.add(epoch)) {
                context.scheduler().schedule(waitNanos(view, own), () -> sweep(epoch));
            }
        }
    }

    private long waitNanos(View view, long own) {
        long before = view.members().keySet().stream()
                .filter(epoch -> epoch < own && !view.absent().contains(epoch))
                .count();
        return Math.min(before, MAX_WAITS) * context.times().ackWait().toNanos();
    }

    private void sweep(long epoch) {
        View view = members.roster().view();
        Member member = view.members().get(epoch);
        if (member == null || !view.absent().contains(epoch) || !members.isLive()) {
            scheduled.remove(epoch);
            return;
        }
        Stages.call(() -> members.fence().member(member, Fence.Grace.NONE)).whenComplete((done, failure) -> {
            scheduled.remove(epoch);
            if (failure != null) {
                // The coordinator or the store is unavailable: check again later.
                context.scheduler()
                        .schedule(
                                MAX_WAITS * context.times().ackWait().toNanos(),
                                () -> look(members.roster().view()));
            }
        });
    }
}
