/** Rows that snapshots of directories see after they have changed. */
@NullMarked
package io.lambdafs.store.snapshot;

import org.jspecify.annotations.NullMarked;
