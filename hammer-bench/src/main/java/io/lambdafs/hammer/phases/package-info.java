/**
 * Experiments of other projects: all clients do one operation on all their files, then the next one, in closed loops.
 */
@NullMarked
package io.lambdafs.hammer.phases;

import org.jspecify.annotations.NullMarked;
