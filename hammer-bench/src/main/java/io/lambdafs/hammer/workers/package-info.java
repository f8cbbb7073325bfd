/**
 * One load from several processes, on this machine or others: a master takes workers in, compares their clocks with its own, gives each a
 * share and a directory of its own, starts all at one moment, and puts together what they report.
 */
@NullMarked
package io.lambdafs.hammer.workers;

import org.jspecify.annotations.NullMarked;
