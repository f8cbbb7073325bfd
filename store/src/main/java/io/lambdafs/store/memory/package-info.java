/**
 * The in-memory engine: the store of tests and of the simulation, and the twin that says what every other engine must do. It has
 * no thread, clock or randomness of its own.
 */
@NullMarked
package io.lambdafs.store.memory;

import org.jspecify.annotations.NullMarked;
