/** Closed loops over a grid: services or settings, operations, and numbers of clients. */
@NullMarked
package io.lambdafs.hammer.grid;

import org.jspecify.annotations.NullMarked;
