/**
 * What a write costs by each coordinator and each channel for invalidations: four small clusters, measured in turns, so that
 * whatever else the machine does meets all of them.
 */
@NullMarked
package io.lambdafs.benchmarks.inv;

import org.jspecify.annotations.NullMarked;
