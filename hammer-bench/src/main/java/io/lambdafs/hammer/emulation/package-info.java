/** Distances and processor shares emulated for experiments. */
@NullMarked
package io.lambdafs.hammer.emulation;

import org.jspecify.annotations.NullMarked;
