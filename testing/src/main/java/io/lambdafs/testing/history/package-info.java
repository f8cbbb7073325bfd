/**
 * Histories of client operations and their check against a model: {@link io.lambdafs.testing.history.ModelFs} is the
 * reference file system, {@link io.lambdafs.testing.history.Linearizability} searches for an order of the operations
 * that respects real time and explains every answer.
 */
@NullMarked
package io.lambdafs.testing.history;

import org.jspecify.annotations.NullMarked;
