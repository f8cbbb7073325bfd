package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.View;

/** One session's knowledge of the members, including itself. Thread-safe, as its parts are. */
record SessionMembers(Lease lease, Roster roster, Fence fence) {
    /** Returns whether this instance's lease is valid. */
    boolean isLive() {
        return lease.isLive(lease.joined());
    }

    /** Returns this instance's epoch if it is the lowest that may be live and its lease is valid; else 0. */
    long leadingEpoch() {
        long own = lease.joined();
        View view = roster.view();
        for (Long epoch : view.members().keySet()) {
            if (!view.absent().contains(epoch)) {
                return epoch == own && lease.isLive(own) ? own : 0;
            }
        }
        return 0;
    }
}
