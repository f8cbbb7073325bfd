package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.MetadataStore;

/**
 * The dependencies of an {@link EpochSession}, which does not own them: their creator closes them after the session has
 * left. Immutable.
 */
public record SessionContext(
        Coordinator coordinator, InvalidationChannel channel, MetadataStore store, Scheduler scheduler, Times times) {}
