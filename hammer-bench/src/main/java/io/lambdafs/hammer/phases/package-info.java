/** Experiments of other projects: all clients do one operation on all their files, then the next one, each as fast as it is answered. */
@NullMarked
package io.lambdafs.hammer.phases;

import org.jspecify.annotations.NullMarked;
