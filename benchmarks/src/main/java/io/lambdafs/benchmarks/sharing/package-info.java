/**
 * The sharing of connections between processes: {@code lambdafs share} is one that stays and lends its own; {@code lambdafs bench sharing}
 * measures what it buys that short processes borrow such, each task a process of its own, in turns without and with it.
 */
@NullMarked
package io.lambdafs.benchmarks.sharing;

import org.jspecify.annotations.NullMarked;
