/** Whether experiments in phases do what they say, on a file system in memory. */
@NullMarked
package io.lambdafs.hammer.phases;

import org.jspecify.annotations.NullMarked;
