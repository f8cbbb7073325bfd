/**
 * Load on a cluster: the import of a real tree, the replay of a workload, and the output during and after them. The
 * workloads themselves come from {@code hammer-bench}.
 */
@NullMarked
package io.lambdafs.hammer.load;

import org.jspecify.annotations.NullMarked;
