/**
 * Runs one workload on several metadata services imitated by our own code, one after the other on the same machine: λFS
 * as it scales, and fixed fleets with a cache and without, side by side in one report.
 */
@NullMarked
package io.lambdafs.hammer.fleet;

import org.jspecify.annotations.NullMarked;
