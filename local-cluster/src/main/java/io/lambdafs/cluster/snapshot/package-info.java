/** The command {@code snapshot}: snapshots of directories. */
@NullMarked
package io.lambdafs.cluster.snapshot;

import org.jspecify.annotations.NullMarked;
