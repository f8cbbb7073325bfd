/** Tests of the experiments in phases, on a file system in memory. */
@NullMarked
package io.lambdafs.hammer.phases;

import org.jspecify.annotations.NullMarked;
