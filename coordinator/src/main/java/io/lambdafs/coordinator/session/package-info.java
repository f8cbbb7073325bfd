/**
 * The machine behind {@link io.lambdafs.coordinator.InstanceSession}: joins, renews the lease, sends rounds, fences and leaves, over any
 * {@link io.lambdafs.coordinator.Coordinator} and {@link io.lambdafs.coordinator.InvalidationChannel}. {@link io.lambdafs.coordinator.session.EpochSession}
 * is its door.
 */
@NullMarked
package io.lambdafs.coordinator.session;

import org.jspecify.annotations.NullMarked;
