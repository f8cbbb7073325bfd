package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.View;

/** What one session knows of the members, itself included. Thread-safe, as its parts are. */
record SessionMembers(Lease lease, Roster roster, Fence fence) {
    /** Returns whether this instance's lease stands. */
    boolean isLive() {
        return lease.isLive(lease.joined());
    }

    /** This instance's epoch if it is the lowest of those that may be live, and its own lease stands; else 0. */
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
