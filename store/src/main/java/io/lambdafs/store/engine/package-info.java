/** The parts of which an engine makes a store: transactions over locks, snapshots, group commit. */
@NullMarked
package io.lambdafs.store.engine;

import org.jspecify.annotations.NullMarked;
