/** The rows of blocks and of the datanodes that hold them, and what commands do with them. */
@NullMarked
package io.lambdafs.store.block;

import org.jspecify.annotations.NullMarked;
