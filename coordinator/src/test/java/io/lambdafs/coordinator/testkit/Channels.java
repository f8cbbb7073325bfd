package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.relayed.FallbackChannel;
import io.lambdafs.coordinator.relayed.RelayedChannel;
import io.lambdafs.model.time.Scheduler;

/** By which channel the instances of a test send INVs. */
public enum Channels {
    DIRECT,
    RELAYED,
    /** Directly, and by relay where that is not answered in time. */
    FALLBACK;

    /** A channel of this kind. */
    public InvalidationChannel over(
            InvalidationChannel direct, Coordinator coordinator, String instance, Scheduler process) {
        return switch (this) {
            case DIRECT -> direct;
            case RELAYED -> new RelayedChannel(instance, coordinator.mailboxes(), process);
            case FALLBACK ->
                new FallbackChannel(direct, new RelayedChannel(instance, coordinator.mailboxes(), process), process);
        };
    }
}
