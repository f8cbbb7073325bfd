/**
 * What clients asked and were answered, and whether a file system could have answered so: {@link io.lambdafs.testing.history.ModelFs} is
 * the file system as it should be, {@link io.lambdafs.testing.history.Linearizability} looks for an order of the operations that respects
 * real time and explains every answer.
 */
@NullMarked
package io.lambdafs.testing.history;

import org.jspecify.annotations.NullMarked;
