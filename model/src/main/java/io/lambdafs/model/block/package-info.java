/** Blocks, where they lie, and the keys of their objects. Everything here is immutable. */
@NullMarked
package io.lambdafs.model.block;

import org.jspecify.annotations.NullMarked;
