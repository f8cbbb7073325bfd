/** Snapshots in simulated time: what they see is compared with what was there. */
@NullMarked
package io.lambdafs.testing.simulation.snapshots;

import org.jspecify.annotations.NullMarked;
