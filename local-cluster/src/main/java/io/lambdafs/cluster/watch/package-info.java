/** The commands {@code stats} and {@code top}: what a file system has and does now. */
@NullMarked
package io.lambdafs.cluster.watch;

import org.jspecify.annotations.NullMarked;
