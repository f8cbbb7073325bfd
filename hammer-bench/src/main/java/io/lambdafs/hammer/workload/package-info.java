/** Workloads: their operations, the shares of these, and their rate over time. */
@NullMarked
package io.lambdafs.hammer.workload;

import org.jspecify.annotations.NullMarked;
