/**
 * One load from several processes, on this machine or others: a master accepts workers, compares their clocks with its
 * own, gives each a share and its own directory, starts all at the same moment, and combines their reports.
 */
@NullMarked
package io.lambdafs.hammer.workers;

import org.jspecify.annotations.NullMarked;
