/**
 * The implementation of {@link io.lambdafs.coordinator.InstanceSession}: joins, renews the lease, sends rounds, fences
 * and leaves, over any {@link io.lambdafs.coordinator.Coordinator} and {@link
 * io.lambdafs.coordinator.InvalidationChannel}. The entry point is {@link
 * io.lambdafs.coordinator.session.EpochSession}.
 */
@NullMarked
package io.lambdafs.coordinator.session;

import org.jspecify.annotations.NullMarked;
