/** What a load does: which operations, in which shares, how many per second. */
@NullMarked
package io.lambdafs.hammer.workload;

import org.jspecify.annotations.NullMarked;
