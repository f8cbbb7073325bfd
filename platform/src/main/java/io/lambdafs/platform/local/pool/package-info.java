/**
 * Scheduling of invocations onto function instances: which warm instance takes a call, when another is started,
 * reclaimed or stopped, and what is billed. {@link io.lambdafs.platform.local.pool.PoolState} only decides; {@link
 * io.lambdafs.platform.local.pool.InstancePool} feeds it events and carries out its decisions. This is the platform's
 * half of the paper's agile auto-scaling (§3.4) and of its pay-per-use cost (§5.2.5).
 */
@NullMarked
package io.lambdafs.platform.local.pool;

import org.jspecify.annotations.NullMarked;
