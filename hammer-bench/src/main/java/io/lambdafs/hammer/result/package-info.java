/** Measured results: operations by the second, latencies, failures and costs. */
@NullMarked
package io.lambdafs.hammer.result;

import org.jspecify.annotations.NullMarked;
