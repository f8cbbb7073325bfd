package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.model.Scheduler;
import io.lambdafs.model.Times;
import io.lambdafs.store.MetadataStore;

/**
 * What an {@link EpochSession} works with. It owns none of it: their maker closes them, after the session has left.
 * Immutable.
 */
public record SessionContext(
        Coordinator coordinator, InvalidationChannel channel, MetadataStore store, Scheduler scheduler, Times times) {}
