/**
 * The in-memory engine: the store of tests and simulation, and the reference for every other engine. It has no thread,
 * clock or randomness of its own.
 */
@NullMarked
package io.lambdafs.store.memory;

import org.jspecify.annotations.NullMarked;
