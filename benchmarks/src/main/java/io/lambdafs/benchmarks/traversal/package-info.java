/**
 * {@code lambdafs bench traversal}: reads every file of a large tree of small ones, in random order, by a process with a
 * small heap, as a job that trains a model does, and tells how fast that is and what the client keeps in memory.
 */
@NullMarked
package io.lambdafs.benchmarks.traversal;

import org.jspecify.annotations.NullMarked;
