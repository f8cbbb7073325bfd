/** Snapshots of directories: which there are, and what they see. */
@NullMarked
package io.lambdafs.functions.namenode.snapshot;

import org.jspecify.annotations.NullMarked;
