/**
 * Load on a cluster: the import of a real tree, the replay of a workload, what is shown while they run and afterwards. The workloads
 * themselves come from {@code hammer-bench}.
 */
@NullMarked
package io.lambdafs.hammer.load;

import org.jspecify.annotations.NullMarked;
