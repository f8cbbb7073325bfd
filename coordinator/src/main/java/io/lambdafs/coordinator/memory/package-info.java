/**
 * A coordinator and an invalidation channel in memory, for tests and simulation: no threads, no sockets, time from a
 * {@link io.lambdafs.model.time.Scheduler}, so that the same seed gives the same run. Latency is configurable; sessions can
 * be lost, and members partitioned from the coordinator or from each other.
 */
@NullMarked
package io.lambdafs.coordinator.memory;

import org.jspecify.annotations.NullMarked;
