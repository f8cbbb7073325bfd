/** Operations, their replies, and the one placement function that routes them. Everything here is immutable. */
@NullMarked
package io.lambdafs.model.operation;

import org.jspecify.annotations.NullMarked;
